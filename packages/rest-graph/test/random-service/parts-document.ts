import { Chance } from './chance.ts';
import { documentOf } from './document.ts';
import { type Kind, type Reference, randomWorld, type Thing, type World } from './world.ts';

/** References of rows by which parts may find objects. */
export function keysOf({ unions }: World, { references, isShort }: Kind): Reference[] {
  const isNamed = (to: string) => unions.some(({ name, isNamed }) => name === to && isNamed);
  return references.filter(({ isList, to }, at) => !isList && !isNamed(to) && !(isShort && at === 0));
}

export function kindsTo({ unions }: World, { to }: Reference): string[] {
  return unions.find(({ name }) => name === to)?.kinds ?? [to];
}

/** A random world whose first kind is lots. Each lot came from older ones, and refers to two parties. */
export function worldOfLots(seed: number): World {
  const world = randomWorld(seed);
  const [lots] = world.kinds as [Kind];
  const chance = new Chance(seed + 1);
  const targets = [...world.kinds, ...world.unions.filter(({ isNamed }) => !isNamed)];
  const common = { to: chance.of(targets).name, isList: false, isNamed: false };
  const style = chance.of(['id', 'object'] as const);
  lots.isShort = false;
  lots.references = [
    { field: 'r0', to: lots.name, isList: true, style: 'id', isNamed: false },
    { field: 'r1', style, ...common },
    { field: 'r2', style, ...common },
  ];
  const all = world.things.get(lots.name) ?? [];
  for (const [at, lot] of all.entries()) {
    const older = all.slice(at + 1);
    lot.refersToAll = { r0: older.length === 0 ? [] : chance.list(chance.below(3), () => chance.of(older)) };
    lot.refers = { r1: party(lots.references[1] as Reference), r2: party(lots.references[2] as Reference) };
  }
  return world;

  function party(reference: Reference): Thing | null {
    const target = chance.of(world.things.get(chance.of(kindsTo(world, reference))) ?? []);
    if (chance.is(0.1)) return null;
    return chance.is(0.05) ? { ...target, id: '999', isGone: true } : target;
  }
}

/** The OpenAPI document of a world of lots, with the keys of parts. */
export function partsDocumentOf(world: World): string {
  const listed = world.kinds.filter(({ isListed }) => isListed);
  return listed.reduce((text, kind) => {
    const operation = `operationId: list${kind.name}s\n`;
    return text.replace(operation, operation + keysOfList(world, kind));
  }, documentOf(world));
}

function keysOfList(world: World, kind: Kind): string {
  const { name, isShort } = kind;
  const keys = keysOf(world, kind);
  const on = keys.flatMap((each) =>
    kindsTo(world, each).map(
      (type) =>
        `{ type: ${type}, field: ${name}_${each.field}_totals, of: [${each.field}], by: of_${each.field}, description: x }`,
    ),
  );
  const [holder] = keys;
  const lines = [
    `x-totals: { groupBy: [${[...keys.map(({ field }) => field), 'name']}], month: made, sums: [${isShort ? '' : 'size'}], on: [${on}] }`,
    `x-candidates: { field: like${name}, compares: { name: { of: [name], as: names }, view: { of: [view], as: names } }, description: x }`,
    ...(holder
      ? [
          `x-holders: { field: holder${name}, argument: name, holder: ${holder.field}, by: [name], newest: made, description: x }`,
        ]
      : []),
    ...(kind === world.kinds[0]
      ? [
          'x-lineage: { parents: r0, source: r1, destination: r2, quantity: size, back: back, forward: forward, row: lot }',
        ]
      : []),
  ];
  return lines.map((line) => `      ${line}\n`).join('');
}
