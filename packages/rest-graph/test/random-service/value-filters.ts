import type { Chance } from './chance.ts';

/** The values of an object by which lists filter. */
interface Values {
  name: string;
  made: string;
  isOpen: boolean;
  size: number | null;
}

/** A filter by a value that rows show. The service leaves out rows whose property is null. */
export interface ValueFilter {
  name: string;
  schema: string;
  property: keyof Values;
  matches(shown: string | number | boolean, value: string): boolean;
  /** A literal of GraphQL. */
  value(chance: Chance, rows: readonly Values[]): string;
}

const equals: ValueFilter['matches'] = (shown, value) => String(shown) === value;
const atLeast: ValueFilter['matches'] = (shown, value) => numberOf(shown) >= numberOf(value);
const atMost: ValueFilter['matches'] = (shown, value) => numberOf(shown) <= numberOf(value);
const contains: ValueFilter['matches'] = (shown, value) => String(shown).toLowerCase().includes(value.toLowerCase());
/** Times come in several forms. */
const numberOf = (value: unknown) => (String(value).includes('T') ? Date.parse(String(value)) : Number(value));

const size = (name: string, matches: ValueFilter['matches']): ValueFilter => ({
  ...{ name, matches, property: 'size', schema: '{ type: integer }' },
  value: (chance) => String(chance.below(10)),
});
const made = (name: string, matches: ValueFilter['matches']): ValueFilter => ({
  ...{ name, matches, property: 'made', schema: '{ type: string, format: date-time }' },
  value: (chance) => JSON.stringify(new Date(Date.UTC(2026, 0, 18 + chance.below(14))).toISOString()),
});
const text = (name: string, matches: ValueFilter['matches'], cut: (text: string) => string): ValueFilter => ({
  ...{ name, matches, property: 'name', schema: '{ type: string }' },
  value: (chance, rows) => JSON.stringify(cut(rows.length > 0 ? chance.of(rows).name : 'nobody')),
});

export const valueFilters: readonly ValueFilter[] = [
  size('size', equals),
  size('size__lte', atMost),
  size('size__gte', atLeast),
  size('min_size', atLeast),
  size('maxSize', atMost),
  made('made__gte', atLeast),
  made('madeBefore', atMost),
  text('name', contains, (name) => name.slice(0, 2)),
  text('name__icontains', contains, (name) => name.toLowerCase()),
  {
    ...{ name: 'isOpen', property: 'isOpen', schema: '{ type: boolean }', matches: equals },
    value: (chance) => String(chance.is(0.5)),
  },
];

/** The names of some filters by properties that rows of the list show. */
export function valueFiltersOf({ isShort }: { isShort: boolean }, chance: Chance): string[] {
  const found = valueFilters.filter(({ property }) => chance.is(0.3) && !(isShort && property === 'size'));
  return found.map(({ name }) => name);
}

export function isMatch({ property, matches }: ValueFilter, thing: Values, value: string): boolean {
  const shown = thing[property];
  return shown !== null && matches(shown, value);
}
