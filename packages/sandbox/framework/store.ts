import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { decodeId, encodeId } from './ids.ts';
import { toMicroseconds } from './time.ts';

/**
 * The type of the rows of each table. A resource adds its tables with `declare module`, and exports their
 * `TableIndexes`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: resources add to it
export interface Tables {}
export type Table = keyof Tables;

/** The indexed properties of each table. */
export type TableIndexes = { [T in Table]?: PropertyOf<Tables[T]>[] };
type PropertyOf<R> = R extends Row ? keyof R & string : never;

/** The properties of every row. References are ids, times ISO 8601 with microseconds. */
export interface Row {
  id: string;
  created_on: string;
  updated_on: string;
}

export interface Condition {
  sql: string;
  values: SQLInputValue[];
}

// A row is its JSON document. Conditions reach into it with the expression that its indexes are made of.
const property = (name: string) => `doc ->> '${name}'`;

function schemaOf([table, indexed]: [table: string, indexed: string[]]): string {
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (n INTEGER PRIMARY KEY, kind TEXT NOT NULL, created INTEGER NOT NULL,
      updated INTEGER NOT NULL, doc TEXT NOT NULL);`,
    // In the usual order of lists, with the properties that they filter by. Documents of other rows stay unread.
    `CREATE INDEX IF NOT EXISTS ${table}_newest ON ${table} (${['kind', 'created DESC', 'n DESC', ...indexed.map(property)]});`,
    ...indexed.map((name) => `CREATE INDEX IF NOT EXISTS ${table}_by_${name} ON ${table} (${property(name)});`),
  ].join('\n');
}

export class Store {
  #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #nextIds = new Map<Table, string>();

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Without a folder the store is in memory. */
  static open(folder: string | undefined, tables: TableIndexes): Store {
    if (folder !== undefined) mkdirSync(folder, { recursive: true });
    const database = openDatabase(folder === undefined ? ':memory:' : join(folder, 'sandbox.sqlite'));
    database.exec('CREATE TABLE IF NOT EXISTS part (kind TEXT PRIMARY KEY, last INTEGER NOT NULL);');
    // The rows whose ids are no hashids.
    database.exec('CREATE TABLE IF NOT EXISTS named (tbl TEXT, id TEXT, n INTEGER, PRIMARY KEY (tbl, id));');
    for (const table of Object.entries(tables)) database.exec(schemaOf(table));
    return new Store(database);
  }

  /** A store in memory with all that another one has saved. */
  static copyOf(saved: Uint8Array): Store {
    return new Store(copied(saved));
  }

  /** All that the store holds, for `copyOf` and `load`. */
  save(): Uint8Array {
    return this.#database.serialize();
  }

  /** Replaces all rows of a store in memory. */
  load(saved: Uint8Array): void {
    this.close();
    // A new database, because Node crashes where one is deserialized twice.
    this.#database = copied(saved);
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  transaction<T>(work: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** The id of the next row of `table`, which is free until a row is inserted. */
  nextId(table: Table): string {
    return this.#nextIds.get(table) ?? encodeId(this.nextNumber(table));
  }

  /** The place of the next row of `table`, from 1 on. */
  nextNumber(table: Table): number {
    return (this.#prepare(`SELECT coalesce(max(n), 0) + 1 AS next FROM ${table}`).get() as { next: number }).next;
  }

  /** Gives the next row of `table` this id, which need not be a hashid. */
  nameNext(table: Table, id: string): void {
    this.#nextIds.set(table, id);
  }

  /** The ids of rows that are no hashids. */
  names(): string[] {
    return (this.#prepare('SELECT id FROM named').all() as { id: string }[]).map(({ id }) => id);
  }

  /** The id of an object inside a row, such as a form's field. */
  partId(kind: string): string {
    const statement = this.#prepare(
      'INSERT INTO part VALUES (?, 1) ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last',
    );
    return encodeId((statement.get(kind) as { last: number }).last);
  }

  /** `kind` separates the rows of one table, which share its ids. */
  insert<T extends Table, R extends Tables[T]>(table: T, row: R, kind: string = table): R {
    // The id comes first in answers, where people look for it.
    const { id, ...rest } = row;
    const n = decodeId(id) ?? this.nextNumber(table);
    this.#nextIds.delete(table);
    if (decodeId(id) === undefined) this.#prepare('INSERT INTO named VALUES (?, ?, ?)').run(table, id, n);
    this.#prepare(`INSERT INTO ${table} (n, kind, created, updated, doc) VALUES (?, ?, ?, ?, ?)`).run(
      n,
      kind,
      toMicroseconds(row.created_on),
      toMicroseconds(row.updated_on),
      JSON.stringify({ id, ...rest }),
    );
    return row;
  }

  /** `kind`: another kind than before. */
  update<T extends Table, R extends Tables[T]>(table: T, row: R, kind: string | null = null): R {
    this.#prepare(`UPDATE ${table} SET kind = coalesce(?, kind), created = ?, updated = ?, doc = ? WHERE n = ?`).run(
      kind,
      toMicroseconds(row.created_on),
      toMicroseconds(row.updated_on),
      JSON.stringify(row),
      this.#numberOf(table, row.id) as number,
    );
    return row;
  }

  get<T extends Table>(table: T, id: string, kind?: string): Tables[T] | undefined {
    const n = this.#numberOf(table, id);
    if (n === undefined) return undefined;
    const found = this.#prepare(`SELECT kind, doc FROM ${table} WHERE n = ?`).get(n) as
      | { kind: string; doc: string }
      | undefined;
    return found && (kind === undefined || found.kind === kind) ? JSON.parse(found.doc) : undefined;
  }

  #numberOf(table: Table, id: string): number | undefined {
    const named = () =>
      this.#prepare('SELECT n FROM named WHERE tbl = ? AND id = ?').get(table, id) as { n: number } | undefined;
    return decodeId(id) ?? named()?.n;
  }

  count(table: Table, where: Condition[]): number {
    const { sql, values } = whereClause(where);
    return (this.#prepare(`SELECT count(*) AS count FROM ${table}${sql}`).get(...values) as { count: number }).count;
  }

  /** Rows in the SQL order `order`, by default oldest first. */
  list<T extends Table>(table: T, where: Condition[], options: ListOptions = {}): Tables[T][] {
    const { order = 'n', limit = -1, offset = 0 } = options;
    const { sql, values } = whereClause(where);
    const statement = this.#prepare(`SELECT doc FROM ${table}${sql} ORDER BY ${order} LIMIT ? OFFSET ?`);
    return (statement.all(...values, limit, offset) as { doc: string }[]).map(({ doc }) => JSON.parse(doc));
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function copied(saved: Uint8Array): DatabaseSync {
  const database = openDatabase(':memory:');
  database.deserialize(saved);
  return database;
}

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 5000 });
  // With WAL, NORMAL loses a committed write in a power cut alone, not by kill -9. FULL flushes at each write.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  database.function('icontains', { deterministic: true }, (text, part) =>
    String(text ?? '')
      .toLowerCase()
      .includes(String(part).toLowerCase())
      ? 1
      : 0,
  );
  return database;
}

interface ListOptions {
  order?: string;
  limit?: number;
  offset?: number;
}

function whereClause(where: Condition[]): Condition {
  if (where.length === 0) return { sql: '', values: [] };
  return { sql: ` WHERE ${where.map(({ sql }) => sql).join(' AND ')}`, values: where.flatMap(({ values }) => values) };
}

export const equal = (name: string, value: SQLInputValue): Condition => ({
  sql: `${property(name)} = ?`,
  values: [value],
});
export const ofKind = (kind: string): Condition => ({ sql: 'kind = ?', values: [kind] });
export const either = (...conditions: Condition[]): Condition => ({
  sql: `(${conditions.map(({ sql }) => sql).join(' OR ')})`,
  values: conditions.flatMap(({ values }) => values),
});
