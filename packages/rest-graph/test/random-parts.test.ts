import { expect, test } from 'vitest';
import { subgraphFields } from '../../federation/index.ts';
import identifyContract from '../../identify/codegen.ts';
import { identify } from '../../identify/index.ts';
import lineageContract from '../../lineage/codegen.ts';
import { lineage } from '../../lineage/index.ts';
import totalsContract from '../../totals/codegen.ts';
import { totals } from '../../totals/index.ts';
import { startDescribed } from './described-service.ts';
import { answerTo, viewOf } from './random-service/answers.ts';
import { Chance } from './random-service/chance.ts';
import { costsOf } from './random-service/costs.ts';
import { keysOf, kindsTo, partsDocumentOf, worldOfLots } from './random-service/parts-document.ts';
import { isMatch, valueFilters } from './random-service/value-filters.ts';
import { type Caller, callers, isSeen, type Kind, type Thing } from './random-service/world.ts';

// PROPERTY_RUNS sets the number of services, PROPERTY_SEED the first of them. A failure names its seed.
const services = Number(process.env.PROPERTY_RUNS ?? 25);
const firstSeed = Number(process.env.PROPERTY_SEED ?? 1);
const questionsPerService = 30;

type Json = Record<string, unknown>;

test.each(Array.from({ length: services }, (_, index) => firstSeed + index))(
  'parts over the random service %i show each of two callers what follows from its objects',
  { timeout: 60_000 },
  async (seed) => {
    const world = worldOfLots(seed);
    const parts = {
      keys: [lineageContract, totalsContract, identifyContract],
      fields: (app: Parameters<typeof subgraphFields>[0]) => [lineage, totals, identify, subgraphFields(app)],
    };
    const { query } = await startDescribed(
      { document: partsDocumentOf(world), parts, costs: costsOf(seed) },
      ({ headers, ...request }) => answerTo(world, { ...request, caller: headers.authorization as Caller }),
    );
    const chance = new Chance(seed);
    const listed = world.kinds.filter(({ isListed }) => isListed);
    const seenOf = ({ name }: Kind, caller: Caller) =>
      (world.things.get(name) ?? []).filter((thing) => isSeen(thing, caller));
    const questions = [listTotals, ownTotals, trace, pages, filtered, bounded, entities, holder, candidates];
    for (let count = 0; count < questionsPerService; count += 1) {
      await chance.of(questions)(chance.of(listed), chance.of(callers));
    }

    async function listTotals(kind: Kind, caller: Caller) {
      const { by, text } = grouping(kind);
      const found = await answered(`{ t: ${rootOf(kind)}Totals${text} }`, caller);
      expectTotals(found.t, seenOf(kind, caller), by);
    }

    async function ownTotals(kind: Kind, caller: Caller) {
      const keys = keysOf(world, kind);
      const targets = keys.flatMap((key) =>
        kindsTo(world, key).flatMap((name) => listed.filter((each) => each.name === name).map((to) => ({ key, to }))),
      );
      if (targets.length === 0) return;
      const { key, to } = chance.of(targets);
      const { by, text } = grouping(kind);
      const rows = `{ results { id t: ${kind.name}_${key.field}_totals${text} } }`;
      const found = await answered(`{ all: ${rootOf(to)}s(limit: ${chance.of([1, 3, 100])}) ${rows} }`, caller);
      for (const { id, t } of found.all.results) {
        const refers = ({ refers: { [key.field]: target } }: Thing) => target?.kind === to.name && target.id === id;
        expectTotals(t, seenOf(kind, caller).filter(refers), by);
      }
    }

    function grouping(kind: Kind) {
      const keys = keysOf(world, kind).map(({ field }) => field);
      const by = [...keys, 'month', 'name'].filter(() => chance.is(0.5));
      const shown = [...by.map(shownAs), 'count', ...(kind.isShort ? [] : ['size'])];
      const names = by.map((each) => each.toUpperCase());
      return { by, text: `(groupBy: [${names}]) { groups { ${shown.join(' ')} } rows complete reason }` };
    }

    function shownAs(key: string): string {
      return key === 'month' || key === 'name' ? key : `${key}_id`;
    }

    function expectTotals({ groups, ...others }: { groups: Json[] }, rows: Thing[], by: string[]) {
      const keyIn = ({ made, name, refers }: Thing, key: string) =>
        ({ month: made.slice(0, 7), name })[key] ?? refers[key]?.id ?? null;
      const found = Map.groupBy(rows, (row) => JSON.stringify(by.map((key) => keyIn(row, key))));
      const expected = [...found.values()].map((same) => {
        const sizes = same.flatMap(({ size }) => size ?? []);
        const size = sizes.length === 0 ? null : String(sizes.reduce((a, b) => a + b));
        const values = by.map((key) => [shownAs(key), keyIn(same[0] as Thing, key)]);
        return { ...Object.fromEntries(values), count: same.length, ...('size' in (groups[0] ?? {}) && { size }) };
      });
      expect(others).toEqual({ rows: rows.length, complete: true, reason: null });
      expect(sorted(groups)).toEqual(sorted(expected));
    }

    /** The lots that a lot came from, or that came from it. */
    async function trace(_kind: Kind, caller: Caller) {
      const [ofLots] = world.kinds as [Kind];
      const lots = new Map(seenOf(ofLots, caller).map((lot) => [lot.id, lot]));
      if (lots.size === 0) return;
      const start = chance.of([...lots.keys()]);
      const [way, depth] = [chance.of(['back', 'forward']), chance.of([1, 2, 10])];
      const parties = '{ entity_id lots }';
      const { lot } = await answered(
        `{ lot: kA(id: "${start}") { trace: ${way}(depth: ${depth}) { lots { lot_id depth parents children } sources ${parties} destinations ${parties} complete } } }`,
        caller,
        { mayFail: true },
      );
      const parentsOf = (id: string) => [...new Set(lots.get(id)?.refersToAll.r0?.map((parent) => parent.id))];
      const childrenOf = (id: string) => [...lots.keys()].filter((each) => parentsOf(each).includes(id));
      const next = way === 'back' ? parentsOf : childrenOf;
      const depths = new Map([[start, 0]]);
      for (let at = 1; at <= depth; at += 1) {
        for (const id of [...depths.keys()].flatMap(next)) if (!depths.has(id)) depths.set(id, at);
      }
      const ids = [...depths.keys()];
      const inside = (some: string[]) => some.filter((id) => depths.has(id)).toSorted();
      const byEntity = (some: string[], field: string) =>
        [...Map.groupBy(some, (id) => lots.get(id)?.refers[field]?.id ?? null)].map(([entity_id, of]) => ({
          entity_id,
          lots: of.toSorted(),
        }));
      const inOrder = (each: Json) =>
        Object.fromEntries(Object.entries(each).map(([key, value]) => [key, [value].flat().toSorted()]));
      const { complete, ...found } = lot.trace;
      for (const [name, list] of Object.entries({
        lots: ids.map((lot_id) => ({
          ...{ lot_id, depth: depths.get(lot_id) },
          ...{ parents: inside(parentsOf(lot_id)), children: inside(childrenOf(lot_id)) },
        })),
        sources: byEntity(
          ids.filter((id) => lots.has(id) && parentsOf(id).length === 0),
          'r1',
        ),
        destinations: byEntity(
          ids.filter((id) => lots.has(id) && inside(childrenOf(id)).length === 0),
          'r2',
        ),
      })) {
        expect(sorted(found[name].map(inOrder)), name).toEqual(sorted((list as Json[]).map(inOrder)));
      }
      expect(complete).toBe(ids.every((id) => lots.has(id) && next(id).every((other) => depths.has(other))));
    }

    /** All pages of a list, in either direction. */
    async function pages(kind: Kind, caller: Caller) {
      const isForward = chance.is(0.5);
      const [size, from, turn] = isForward ? ['first', 'after', 'hasNextPage'] : ['last', 'before', 'hasPreviousPage'];
      const count = 1 + chance.below(5);
      const ids: string[] = [];
      for (let cursor = '', goesOn = true; goesOn; ) {
        const args = `${size}: ${count}${cursor && `, ${from}: "${cursor}"`}`;
        const info = `pageInfo { ${turn} startCursor endCursor }`;
        const { page } = await answered(`{ page: ${rootOf(kind)}s(${args}) { results { id } ${info} } }`, caller);
        const here = page.results.map(({ id }: { id: string }) => id);
        ids.splice(isForward ? ids.length : 0, 0, ...here);
        goesOn = page.pageInfo[turn as string];
        cursor = page.pageInfo[isForward ? 'endCursor' : 'startCursor'];
      }
      expect(ids).toEqual(seenOf(kind, caller).map(({ id }) => id));
    }

    /** The rows that refer to an object. A service that ignores the filter may have it refused. */
    async function filtered(kind: Kind, caller: Caller) {
      const keys = keysOf(world, kind);
      const rows = seenOf(kind, caller);
      if (keys.length === 0 || rows.length === 0) return;
      const { field } = chance.of(keys);
      const id = chance.of(rows).refers[field]?.id;
      if (id === undefined) return;
      const asked = `{ page: ${rootOf(kind)}s(of_${field}: "${id}", limit: 100) { count results { id } } }`;
      const { data, errors } = await query(asked, {}, caller);
      if (!world.hasFilters && errors.length > 0) return;
      const matching = rows.filter(({ refers }) => refers[field]?.id === id);
      expect([data.page, errors], asked).toEqual([
        { count: matching.length, results: matching.map((row) => ({ id: row.id })) },
        [],
      ]);
    }

    /** The rows that match a value of a property, or two. */
    async function bounded(kind: Kind, caller: Caller) {
      const rows = seenOf(kind, caller);
      const usable = valueFilters.filter(({ name }) => kind.filters.includes(name));
      const used = usable.filter(() => chance.is(0.5)).slice(0, 2);
      if (used.length === 0) return;
      const values = used.map((filter) => ({ filter, value: filter.value(chance, rows) }));
      const args = values.map(({ filter, value }) => `${filter.name}: ${value}`).join(', ');
      const asked = `{ page: ${rootOf(kind)}s(${args}, limit: 100) { count results { id } } }`;
      const { data, errors } = await query(asked, {}, caller);
      if (!world.hasFilters && errors.length > 0) return;
      const textOf = (value: string) => String(JSON.parse(value));
      const matching = rows.filter((row) => values.every(({ filter, value }) => isMatch(filter, row, textOf(value))));
      expect([data.page, errors], asked).toEqual([
        { count: matching.length, results: matching.map((row) => ({ id: row.id })) },
        [],
      ]);
    }

    async function entities(_kind: Kind, caller: Caller) {
      const things = chance.list(1 + chance.below(5), () =>
        chance.of(world.things.get(chance.of(world.kinds).name) ?? []),
      );
      const fragments = world.kinds.map(({ name }) => `... on ${name} { id name view }`);
      const representations = things.map(({ kind, id }) => ({ __typename: kind, id }));
      const asked = `query ($r: [_Any!]!) { _entities(representations: $r) { __typename ${fragments.join(' ')} } }`;
      const { data, errors } = await query(asked, { r: representations }, caller);
      const expected = things.map((thing) => {
        const { kind: __typename, id, name } = thing;
        return isSeen(thing, caller) ? { __typename, id, name, view: viewOf(thing, caller) } : null;
      });
      expect(data._entities, JSON.stringify(errors)).toEqual(expected);
    }

    async function holder(kind: Kind, caller: Caller) {
      const [key] = keysOf(world, kind);
      const rows = world.things.get(kind.name) ?? [];
      if (!key || rows.length === 0) return;
      const row = chance.of(rows);
      const found = await answered(
        `{ h: holder${kind.name}(name: "${row.name}") { holder_id holder { id __typename name } complete } }`,
        caller,
        { mayFail: true },
      );
      const target = isSeen(row, caller) ? (row.refers[key.field] ?? null) : null;
      expect([found.h.holder_id, found.h.complete]).toEqual([target?.id ?? null, true]);
      if (target && isSeen(target, caller))
        expect(found.h.holder).toEqual({ id: target.id, __typename: target.kind, name: target.name });
    }

    async function candidates(kind: Kind, caller: Caller) {
      const rows = world.things.get(kind.name) ?? [];
      if (rows.length === 0) return;
      const [one, other] = [chance.of(rows), chance.of(rows)];
      const input = `{ name: "${one.name}", view: "${viewOf(other, caller)}" }`;
      const shown = `candidates { row: ${rootOf(kind)} { id size } agree } complete`;
      const found = await answered(`{ c: like${kind.name}(input: ${input}) { ${shown} } }`, caller);
      const expected = seenOf(kind, caller).flatMap((row) => {
        const agree = [...(row === one ? ['name'] : []), ...(row === other ? ['view'] : [])];
        return agree.length > 0 ? [{ row: { id: row.id, size: row.size }, agree }] : [];
      });
      expect([found.c.complete, sorted(found.c.candidates)]).toEqual([true, sorted(expected)]);
    }

    async function answered(asked: string, caller: Caller, { mayFail = false } = {}) {
      const { data, errors } = await query(asked, {}, caller);
      if (!mayFail) expect(errors, asked).toEqual([]);
      return data;
    }
  },
);

/** `KA` → `kA`. */
function rootOf({ name }: Kind): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The order of objects and of their properties does not count. */
function sorted(objects: Json[]): string[] {
  return objects.map((each) => JSON.stringify(Object.entries(each).toSorted())).toSorted();
}
