import { embedded } from '../generated/contract.ts';
import type { Kind, Target } from './kinds.ts';
import { type Reference, references } from './references.ts';

export interface EmbeddedTypes {
  embedded: readonly { key: string; type: Target }[];
  references: readonly { field: string; reference: Reference }[];
}

/** Places of a type that embed other objects. Computed once, because the identity map searches rows for them. */
interface TypePlaces extends EmbeddedTypes {
  /** Fields that refer to a company. */
  companies: readonly string[];
  /** A transaction, whose direction may show the kinds of its source and destination. */
  hasParties: boolean;
}

const typesByName = new Map<string, TypePlaces>();

export function embeddedTypesOf(type: string): TypePlaces {
  let found = typesByName.get(type);
  if (!found) {
    const fields = Object.entries(references[type] ?? {}).map(([field, reference]) => ({ field, reference }));
    found = {
      embedded: Object.entries<Kind>(embedded[type as Kind] ?? {}).map(([key, type]) => ({ key, type })),
      references: fields,
      companies: fields.filter(({ reference }) => reference.to === 'Company').map(({ field }) => field),
      hasParties: type === 'ProductTransaction' || type === 'PaymentTransaction',
    };
    typesByName.set(type, found);
  }
  return found;
}

/** Farmers, companies and entities share a table, because a row that embeds one does not name its kind. */
export function tableOf(target: string): string {
  return target === 'Farmer' || target === 'Company' ? 'Entity' : target;
}

const tables = new Map<string, ReadonlySet<string>>();

/** Tables of the objects that a type may embed, at any depth. */
export function embeddedIn(type: string): ReadonlySet<string> {
  let found = tables.get(type);
  if (!found) {
    const types = [...typesBelow(type, new Set())];
    found = new Set([...types.map(tableOf), ...(types.some(showsKinds) ? [kindTable] : [])]);
    tables.set(type, found);
  }
  return found;
}

function typesBelow(type: string, found: Set<string>): Set<string> {
  const { embedded: children, references: fields } = embeddedTypesOf(type);
  const referred = fields.filter(({ reference }) => mayBeObject(reference)).map(({ reference }) => reference.to);
  for (const target of [...children.map((child) => child.type), ...referred]) {
    if (!found.has(target)) typesBelow(target, found.add(target));
  }
  return found;
}

/** Other references are ids in every answer. An unexpected object there costs one call. */
function mayBeObject({ details, within, noIdField, expandedById, mayBeEmbedded }: Reference): boolean {
  return details !== undefined || within !== undefined || noIdField || expandedById || mayBeEmbedded || false;
}

/** Stands for the tables whose objects show the kinds of entities. */
export const kindTable = '*';

function showsKinds(type: string): boolean {
  const { companies, hasParties } = embeddedTypesOf(type);
  return companies.length > 0 || hasParties;
}

const waysByTable = new Map<string, Map<string, EmbeddedTypes>>();

/** The places of a type that may lead to an object of the table. */
export function waysTo(table: string, type: string): EmbeddedTypes {
  let ways = waysByTable.get(table);
  if (!ways) {
    ways = new Map();
    waysByTable.set(table, ways);
  }
  let found = ways.get(type);
  if (!found) {
    const { embedded, references } = embeddedTypesOf(type);
    found = {
      embedded: embedded.filter((child) => leadsTo(child.type, table)),
      references: references.filter(({ reference }) => leadsTo(reference.to, table)),
    };
    ways.set(type, found);
  }
  return found;
}

function leadsTo(type: string, table: string): boolean {
  return tableOf(type) === table || (table === kindTable && showsKinds(type)) || embeddedIn(type).has(table);
}
