import { madeOnce } from '@gateway/base';
import type { ContractData, Evidence, Union } from './data.ts';
import { idFieldOf, mayBeObject, type Reference, type Target } from './reference.ts';

/** Fields of a type that hold objects or refer to them. */
export interface EmbeddedTypes {
  embedded: readonly { key: string; type: Target }[];
  references: readonly { field: string; reference: Reference }[];
}

/** A property that embedded objects take over from the row. */
interface Inherited {
  property: string;
  /** The property beside it that embeds the same object. */
  details: string | undefined;
  from: string;
  reference: Reference | undefined;
}

/** A field that embeds objects, with what they inherit. */
export interface Heirs {
  field: string;
  properties: readonly Inherited[];
}

/** A field of the graph that shows a reference. */
export interface Shown {
  property: string;
  reference: Reference;
  /** The field gives the id. */
  isId: boolean;
  /** The properties that the field reads, of which one suffices. */
  keys: readonly string[];
}

/** Stands for the id spaces of all unions, where objects are sought that show kinds. */
export const anyUnion = '*';

const none: readonly never[] = [];

/** The contract for the objects of one type, as the loaders read it of each row. */
export class TypeTables implements EmbeddedTypes {
  readonly name: string;
  /** Kinds of one union share an id space. A row that embeds one of them does not name its kind. */
  readonly idSpace: string;
  readonly union: Union | undefined;
  readonly embedded: EmbeddedTypes['embedded'];
  readonly references: EmbeddedTypes['references'];
  readonly heirs: readonly Heirs[];
  /** The references by the fields that show them: `x`, `x_id` and `x_details` show one reference. */
  readonly shown: ReadonlyMap<string, Shown>;
  /** Properties of the type that show the kinds of ids in them. */
  readonly evidence: readonly Evidence[];
  readonly #of: (type: string) => TypeTables;
  readonly #ways = new Map<string, EmbeddedTypes>();
  readonly #newWays = (idSpace: string) => ({
    embedded: this.embedded.filter(({ type }) => this.#leadsTo(type, idSpace)),
    references: this.references.filter(({ reference }) => this.#leadsTo(reference.to, idSpace)),
  });
  #below: ReadonlySet<string> | undefined;

  /** `of`: gives the tables of other types. */
  constructor(name: string, data: ContractData, of: (type: string) => TypeTables) {
    const unions = Object.values(data.unions);
    const fields = data.references[name] ?? {};
    const ofUnion = (kind: string) => unions.find((union) => union.name === kind || union.kinds.includes(kind));
    this.name = name;
    this.union = ofUnion(name);
    this.idSpace = this.union?.name ?? name;
    this.embedded = Object.entries(data.embedded[name] ?? {}).map(([key, type]) => ({ key, type }));
    this.references = Object.entries(fields).map(([field, reference]) => ({ field, reference }));
    this.heirs = Object.entries(data.inherited[name] ?? {}).map(([field, properties]) => ({
      field,
      properties: Object.entries(properties).map(([property, from]) => ({
        property,
        details: data.references[data.embedded[name]?.[field] ?? '']?.[property]?.details,
        from,
        reference: fields[from],
      })),
    }));
    this.shown = new Map(this.references.flatMap(({ field, reference }) => shownBy(field, reference)));
    // A reference to one kind of a union shows the kind of its id.
    const kinds = this.references
      .filter(({ reference: { to, list } }) => !list && ofUnion(to)?.kinds.includes(to))
      .map(({ field, reference: { to } }): Evidence => ({ field, is: to }));
    this.evidence = [...unions.flatMap(({ evidence }) => evidence[name] ?? none), ...kinds];
    this.#of = of;
  }

  /** Id spaces of the objects that the type may embed, at any depth. */
  get below(): ReadonlySet<string> {
    if (!this.#below) {
      const types = [...this.#typesBelow(new Set())];
      const shows = types.some(({ evidence }) => evidence.length > 0);
      this.#below = new Set([...types.map(({ idSpace }) => idSpace), ...(shows ? [anyUnion] : [])]);
    }
    return this.#below;
  }

  /** The fields of the type that may lead to an object of the id space. */
  waysTo(idSpace: string): EmbeddedTypes {
    return madeOnce(this.#ways, idSpace, this.#newWays);
  }

  #leadsTo(type: string, idSpace: string): boolean {
    const tables = this.#of(type);
    const shows = idSpace === anyUnion && tables.evidence.length > 0;
    return shows || tables.idSpace === idSpace || tables.below.has(idSpace);
  }

  #typesBelow(found: Set<TypeTables>): Set<TypeTables> {
    const referred = this.references.filter(({ reference }) => mayBeObject(reference));
    for (const type of [...this.embedded.map((each) => each.type), ...referred.map(({ reference }) => reference.to)]) {
      const tables = this.#of(type);
      if (!found.has(tables)) tables.#typesBelow(found.add(tables));
    }
    return found;
  }
}

function shownBy(property: string, reference: Reference): [string, Shown][] {
  const { details, objects, noIdField } = reference;
  const keys = details === undefined ? [property] : [details, property];
  const object = { property, reference, isId: false, keys };
  const shown: [string, Shown][] = [[objects ?? property, object]];
  if (details !== undefined) shown.push([details, object]);
  if (!noIdField && !objects) shown.push([idFieldOf(property, reference), { ...object, isId: true }]);
  return shown;
}
