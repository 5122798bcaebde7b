import { Chance } from './chance.ts';
import { valueFiltersOf } from './value-filters.ts';

export type Caller = 'ama' | 'kofi';
export const callers: readonly Caller[] = ['ama', 'kofi'];

export interface Reference {
  field: string;
  /** A kind, or a union. */
  to: string;
  isList: boolean;
  /** The property has the id; or the object at times; or the object is beside the id. */
  style: 'id' | 'object' | 'details';
  /** The row names the kind of the object. */
  isNamed: boolean;
}

export interface Kind {
  name: string;
  /** The service gives it by id, and in a list. */
  isGiven: boolean;
  isListed: boolean;
  /** The list answers a page, an array with the count in a header, or an array of all rows. */
  lists: 'page' | 'array' | 'all';
  /** Rows of the list lack properties. */
  isShort: boolean;
  /** The answers of writes: the object, its id with what has changed, or nothing. */
  writes: 'object' | 'changes' | 'nothing' | undefined;
  references: Reference[];
  /** The reference of each line inside an object, if there are lines. */
  lineTo?: { to: string; mayBeEmbedded: boolean } | undefined;
  /** The names of filters by values, which its list has. */
  filters: string[];
}

export interface Union {
  name: string;
  kinds: string[];
  /** Objects of both kinds have the same ids, and rows name the kind. */
  isNamed: boolean;
}

export interface Thing {
  kind: string;
  id: string;
  name: string;
  size: number | null;
  place: { city: string; spot: { x: number } } | null;
  made: string;
  /** A way back that shows one object does not count the others. */
  isOpen: boolean;
  /** Status of a GET by this caller who may not see it. */
  hidden: { caller: Caller; status: 403 | 404 } | undefined;
  /** No caller finds it. */
  isGone: boolean;
  /** Objects by the field of the reference. */
  refers: Record<string, Thing | null>;
  refersToAll: Record<string, Thing[]>;
  /** Objects without an id inside this one. */
  lines?: Line[];
}

export interface Line {
  text: string;
  target: Thing | null;
  to: string;
}

/** A service of random kinds, which refer to each other in all forms that a contract may have. */
export interface World {
  kinds: Kind[];
  unions: Union[];
  /** Ids are numbers of JSON. */
  hasNumbers: boolean;
  /** The property with the id of an object. */
  key: 'id' | 'code';
  /** Properties with one id end in `_id`, or in the key. An object beside it has the name without. */
  hasIdNames: boolean;
  /** The lists leave out rows that do not match a filter. Other services answer them all. */
  hasFilters: boolean;
  /** Rows of the largest page. */
  largestPage: number;
  /** The number of the first page, where pages have numbers. */
  firstPage: 0 | 1 | undefined;
  /** By kind, the newest first. */
  things: Map<string, Thing[]>;
}

export function randomWorld(seed: number): World {
  const chance = new Chance(seed);
  const hasNumbers = chance.is(0.4);
  const ofLists = new Chance(seed + 1_000_000);
  const kinds = chance.list(3 + chance.below(4), (index): Kind => {
    const access = index === 0 ? 'both' : chance.of(['get', 'list', 'both', 'both']);
    const isGiven = access !== 'list';
    return {
      ...{ name: `K${'ABCDEF'[index]}`, isGiven, isListed: access !== 'get' },
      lists: ofLists.of(['page', 'page', 'array', 'all']),
      isShort: access === 'both' && chance.is(0.4),
      writes: isGiven ? chance.of(['object', 'changes', 'nothing', undefined]) : undefined,
      references: [],
      filters: [],
    };
  });
  const drawn = kinds.map(({ name }) => ({ name, place: chance.next() })).sort((a, b) => a.place - b.place);
  const free = drawn.map(({ name }) => name);
  const unions = chance
    .list(chance.below(3), (index): Union => ({ name: `U${index}`, kinds: free.splice(0, 2), isNamed: chance.is(0.4) }))
    .filter(({ kinds }) => kinds.length === 2);
  const pages = { largestPage: chance.of([2, 3, 100]), firstPage: chance.of([0, 1, undefined, undefined] as const) };
  const world: World = {
    kinds,
    unions,
    hasNumbers,
    key: ofLists.of(['id', 'id', 'code']),
    hasIdNames: chance.is(0.4),
    hasFilters: chance.is(0.6),
    ...pages,
    things: new Map(),
  };
  const targets = [...kinds, ...unions, ...unions].map(({ name }) => name);
  for (const kind of kinds) kind.references = chance.list(1 + chance.below(3), (n) => reference(n, chance.of(targets)));
  // Without a reference, no row names the kind of an object of the union.
  for (const union of unions)
    union.isNamed &&= kinds.some(({ references }) => references.some(({ to }) => to === union.name));
  for (const kind of kinds) kind.filters = valueFiltersOf(kind, ofLists);
  const ofLines = new Chance(seed + 4_000_000);
  const toLines = targets.filter((name) => !unions.some((union) => union.name === name && union.isNamed));
  for (const kind of kinds)
    kind.lineTo = ofLines.is(0.5) ? { to: ofLines.of(toLines), mayBeEmbedded: ofLines.is(0.5) } : undefined;
  for (const kind of kinds) world.things.set(kind.name, thingsOf(kind));
  for (const thing of [...world.things.values()].flat()) refer(thing);
  return world;

  function reference(index: number, to: string): Reference {
    const isNamed = unions.some(({ name, isNamed }) => name === to && isNamed);
    const isList = !isNamed && chance.is(0.25);
    // The object beside the id may lack properties, so that the gateway needs another way to it.
    const mayBeBeside = kinds.some(({ name, isGiven }) => name === to && isGiven);
    const style = isList ? 'id' : chance.of(mayBeBeside ? styles : styles.slice(0, 2));
    return { field: `r${index}`, to, isList, style, isNamed };
  }

  function thingsOf({ name: kind }: Kind): Thing[] {
    const { isNamed = true, kinds: ofUnion = [] } = unions.find(({ kinds }) => kinds.includes(kind)) ?? {};
    const first = !isNamed && ofUnion[1] === kind ? 101 : 1;
    return chance.list(2 + chance.below(8), (index) => ({
      ...{ kind, id: String(first + index), name: `${kind} ${index}`, isGone: false },
      size: chance.is(0.2) ? null : index,
      place: chance.is(0.2) ? null : { city: `City ${index}`, spot: { x: index } },
      made: new Date(Date.UTC(2026, 0, 28 - index)).toISOString(),
      isOpen: index % 3 !== 0,
      hidden: chance.is(0.1) ? { caller: chance.of(callers), status: chance.of([403, 404] as const) } : undefined,
      ...{ refers: {}, refersToAll: {} },
    }));
  }

  function refer(thing: Thing): void {
    for (const { field, to, isList } of kindOf(world, thing).references) {
      const one = (): Thing => {
        const kind = chance.of(unions.find(({ name }) => name === to)?.kinds ?? [to]);
        const target = chance.of(world.things.get(kind) ?? []);
        return chance.is(0.04) ? { ...target, id: '999', isGone: true } : target;
      };
      if (isList) thing.refersToAll[field] = chance.list(chance.below(3), one);
      else thing.refers[field] = chance.is(0.12) ? null : one();
    }
    const { lineTo } = kindOf(world, thing);
    if (!lineTo) return;
    const { to } = lineTo;
    thing.lines = ofLines.list(ofLines.below(4), (at) => {
      const kind = ofLines.of(unions.find(({ name }) => name === to)?.kinds ?? [to]);
      const target = ofLines.of(world.things.get(kind) ?? []);
      const isGone = ofLines.is(0.04);
      return {
        text: `Line ${at}`,
        to,
        target: ofLines.is(0.12) ? null : isGone ? { ...target, id: '999', isGone } : target,
      };
    });
  }
}

const styles = ['id', 'object', 'details'] as const;

export function kindOf({ kinds }: World, { kind }: Thing): Kind {
  return kinds.find(({ name }) => name === kind) as Kind;
}

/** The references of one object that rows of the list show. */
export function shownIn({ references, isShort }: Kind): Reference[] {
  return references.filter(({ isList }, at) => !isList && !(isShort && at === 0));
}

/** The reference that a way back shows, of the newest row of an object. */
export function givenBy(shown: readonly Reference[], { field }: Reference): Reference {
  const at = shown.findIndex((each) => each.field === field);
  return shown[(at + 1) % shown.length] as Reference;
}

/** The property of the service with the id. */
export function propertyOf({ hasIdNames, key }: World, { field, isList }: Reference): string {
  return hasIdNames && !isList ? `${field}_${key}` : field;
}

/** The object is beside its id, in a property of the name without `_id`. */
export function isBeside({ hasIdNames, kinds }: World, { to, style }: Reference): boolean {
  return hasIdNames && style === 'object' && kinds.some(({ name }) => name === to);
}

export function isSeen({ hidden, isGone }: Thing, caller: Caller): boolean {
  return !isGone && hidden?.caller !== caller;
}
