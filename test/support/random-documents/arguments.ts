import fc from 'fast-check';
import { cursorOf } from '../reference-executor/connection.ts';
import type { World } from './world.ts';

/** Numbers that `argumentsOf` reads a field's arguments out of, whatever the field is. */
export interface ArgumentChoice {
  style: number;
  size: number;
  position: number;
  filter: number;
  id: number;
}

export const argumentChoice: fc.Arbitrary<ArgumentChoice> = fc.record({
  style: fc.nat(14),
  size: fc.oneof(fc.nat(5), fc.nat(30)),
  position: fc.nat(9),
  filter: fc.nat(19),
  id: fc.nat(30),
});

export type ArgumentValue = string | number | boolean | null;

/** Arguments of a root field, and how many rows they can give. */
export function argumentsOf(
  field: string,
  choice: ArgumentChoice,
  world: World,
): { args: Record<string, ArgumentValue>; rows: number } {
  const ids = world.ids[field];
  if (ids) return { args: { id: ids[choice.id % ids.length]! }, rows: 1 };
  const args = { ...filterOf(field, choice, world), ...pageOf(choice, world.counts[field]!) };
  return { args, rows: Number(args.limit ?? args.first ?? args.last ?? 20) };
}

function pageOf({ style, size, position }: ArgumentChoice, count: number): Record<string, ArgumentValue> {
  const offset = Math.max(0, [0, 1, 2, 5, count >> 1, count - 10, count - 2, count - 1, count, count + 5][position]!);
  const after = cursorOf(Math.min(offset, count - 1));
  const before = cursorOf(Math.min(offset, count));
  const styles: Record<string, ArgumentValue>[] = [
    { limit: size },
    { limit: size, offset },
    { limit: size, offset },
    { first: size },
    { first: size, after },
    { last: size },
    { last: size, before },
    { first: size, before },
    { last: size, after },
    { first: size, last: size >> 1, before },
    { before },
    {},
    { limit: size, offset: null, after: null },
    { limit: size, first: size },
    { offset: -1, limit: size },
  ];
  return styles[style]!;
}

/** The first choices filter nothing. */
function filterOf(field: string, { filter, position }: ArgumentChoice, world: World): Record<string, ArgumentValue> {
  const time = world.times[position % world.times.length]!;
  const { entity: entities = [] } = world.ids;
  const entity = entities[position % entities.length]!;
  const filters: Record<string, Record<string, ArgumentValue>[]> = {
    farmers: [
      { first_name: 'a' },
      { last_name: 'SIR' },
      { number: '10', first_name: 'e' },
      { updated_after: time },
      { created_after: time },
      { entity },
      { reference_number: 'none' },
    ],
    products: [{ name: 'co' }, { description: 'Parboiled and dried kernels' }, { updated_after: time }],
    currencies: [{ search: 'dollar' }, { search: 'us DOLLAR' }, { code: 'EUR' }],
    entityCards: [{ card_id: 'a' }, { updated_after: time }, { created_after: time, card_id: '1' }],
    paymentTransactions: [{ updated_after: time }, { created_after: time }],
    productTransactions: [
      { quantity_available: true },
      { quantity_available: false },
      { updated_after: time },
      { created_after: time, updated_before: 1_780_000_000 },
      { entity },
      { entity, updated_after: time },
    ],
  };
  return filters[field]?.[filter - 10] ?? {};
}
