import { dateTime, fieldErrorsOf } from '../framework/fields.ts';
import { coop } from '../framework/keys.ts';
import type { SandboxSeed } from '../framework/options.ts';
import { Random } from '../framework/random.ts';
import type { FieldErrors } from '../framework/refusal.ts';
import type { Row, Store } from '../framework/store.ts';
import { fromMicroseconds, toMicroseconds } from '../framework/time.ts';
import type { World } from '../framework/world.ts';
import { seed as seedCompanies } from '../seed/companies.ts';
import { seed as seedMembers } from '../seed/company-members.ts';
import { cards, entityCards } from './cards.ts';
import { premiums, products } from './catalogs.ts';
import { companies } from './companies.ts';
import { farmers } from './farmers.ts';
import { forms } from './forms.ts';
import type { ResourceName, RowPlace, RowSource } from './row-source.ts';
import { paymentTransactions, productTransactions } from './transactions.ts';
import { companyMembers, users } from './users.ts';

/** In the order in which rows can refer to each other. */
const sources: Record<ResourceName, RowSource> = {
  companies,
  users,
  companyMembers,
  products,
  premiums,
  forms,
  farmers,
  cards,
  entityCards,
  productTransactions,
  paymentTransactions,
};
const resourceNames = Object.keys(sources) as ResourceName[];
const hour = 3_600e6;
/** This number takes a quarter of a minute. A million would keep all tests waiting for minutes. */
const mostRows = 100_000;

type SeedRow = Record<string, unknown>;

/**
 * Writes the rows that a test asks for, the latest an hour before `end`.
 * @throws Error that names the place of a mistake in the seed.
 */
export function seedRows(world: World, seed: SandboxSeed, end: string): void {
  world.rowsOf(seedCompanies);
  world.rowsOf(seedMembers);
  if (!isObject(seed)) throw new Error('seed is no object of resources.');
  for (const name of Object.keys(seed)) {
    if (!Object.hasOwn(sources, name)) {
      throw new Error(`seed.${name} is no resource. The resources are ${resourceNames.join(', ')}.`);
    }
  }
  const rows = new SeededRows(world, seed, toMicroseconds(end));
  for (const name of resourceNames) rows.write(name);
}

class SeededRows {
  readonly #world: World;
  readonly #seed: SandboxSeed;
  readonly #end: number;
  readonly #store: Store;
  readonly #rows = new Map<ResourceName, Row[]>();
  #currencies: Map<string, string> | undefined;

  constructor(world: World, seed: SandboxSeed, end: number) {
    this.#world = world;
    this.#seed = seed;
    this.#end = end;
    this.#store = world.session().store;
  }

  write(name: ResourceName): void {
    const asked = [...this.#asked(name)];
    asked.forEach(([place, row], n) => {
      this.#add(name, place, row, this.#end - (asked.length - n) * hour);
    });
  }

  rowsOf(name: ResourceName): Row[] {
    if (!this.#rows.has(name)) this.#rows.set(name, []);
    return this.#rows.get(name)!;
  }

  /** Each row with its place in the seed. A number stands for so many empty rows. */
  *#asked(name: ResourceName): Generator<[place: string, row: SeedRow]> {
    const asked: unknown = this.#seed[name] ?? 0;
    const isList = Array.isArray(asked);
    const items: unknown[] = isList ? asked : [asked];
    for (const [position, item] of items.entries()) {
      const place = isList ? `seed.${name}[${position}]` : `seed.${name}`;
      const count = Number.isInteger(item) ? (item as number) : -1;
      if (count > mostRows) throw new Error(`${place}: ${count} rows are more than ${mostRows}.`);
      if (count >= 0) for (let n = 0; n < count; n++) yield [place, {}];
      else if (isList && isObject(item)) yield [place, item];
      else {
        const other = isList ? 'a row' : 'a list of rows';
        throw new Error(`${place}: ${JSON.stringify(item)} is neither a whole number from 0 on nor ${other}.`);
      }
    }
  }

  #add(name: ResourceName, place: string, given: SeedRow, created: number): Row {
    const source = sources[name];
    const { id, ...row } = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const unknown = Object.keys(row).filter((field) => !source.names.includes(field));
    if (unknown.length > 0) {
      throw new Error(`${place}: there is no field ${unknown.join(', ')}. The fields are ${source.names.join(', ')}.`);
    }
    const createdOn = this.#read(`${place}.created_on`, () =>
      row.created_on === undefined ? fromMicroseconds(created) : dateTime.read(row.created_on, this.#world.session()),
    );
    const session = this.#world.session(coop, () => createdOn);
    const body = { ...source.fill(row, this.#placeOf(name, place, createdOn)), ...row };
    if (typeof body.currency === 'string') body.currency = this.#currencyId(body.currency);
    const read = this.#read(place, () => source.field.read(body, session));
    if (id !== undefined) this.#nameNext(source, `${place}.id`, id);
    const added = source.add(session, read);
    this.rowsOf(name).push(added);
    return added;
  }

  #placeOf(name: ResourceName, place: string, createdOn: string): RowPlace {
    const n = this.rowsOf(name).length;
    const make = (other: ResourceName) => this.#add(other, `a row of ${other} for ${place}`, {}, this.#end - hour);
    return {
      n,
      createdOn,
      store: this.#store,
      random: new Random(resourceNames.indexOf(name) * 1_000_003 + n * 7_919 + 1),
      own: (other) => this.rowsOf(other)[n] ?? make(other),
      next: (other, field) => {
        const rows = this.rowsOf(other);
        if (rows.length > 0) return rows[n % rows.length]!;
        if (this.#seed[other] === undefined) return make(other);
        throw new Error(
          `${place}.${field} is left out, and seed.${other} has no row to take. Leave ${other} out for one.`,
        );
      },
    };
  }

  #nameNext({ table }: RowSource, place: string, id: unknown): void {
    if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) {
      throw new Error(`${place}: ${JSON.stringify(id)} is not 1 to 64 letters, digits, - and _.`);
    }
    if (this.#store.get(table, id)) {
      const shared = 'Farmers and companies share their ids, and so do both kinds of transactions.';
      throw new Error(`${place}: "${id}" is the id of another row. ${shared}`);
    }
    this.#store.nameNext(table, id);
  }

  /** Takes a code too, because tests know no ids of currencies. */
  #currencyId(text: string): string {
    this.#currencies ??= new Map(this.#store.list('currency', []).map(({ code, id }) => [code, id]));
    return this.#currencies.get(text) ?? text;
  }

  #read<T>(place: string, read: () => T): T {
    try {
      return read();
    } catch (error) {
      const errors = fieldErrorsOf(error);
      if (!errors) throw error;
      throw new Error(sentencesOf(errors, place, this.#store.names()).join('\n'));
    }
  }
}

function sentencesOf(errors: FieldErrors, place: string, ids: string[]): string[] {
  if (!Array.isArray(errors)) {
    return Object.entries(errors).flatMap(([name, below]) => sentencesOf(below, `${place}.${name}`, ids));
  }
  return errors.flatMap((error, n) => {
    if (typeof error !== 'string') return sentencesOf(error, `${place}[${n}]`, ids);
    const [, id] = /^Invalid pk "(.*)" - object does not exist\.$/s.exec(error) ?? [];
    if (id === undefined) return `${place}: ${error}`;
    return `${place}: there is no row with the id "${id}" yet. The seed has named ${ids.join(', ') || 'none'}.`;
  });
}

const isObject = (value: unknown): value is SeedRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
