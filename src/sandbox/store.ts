import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { decodeId, encodeId } from './ids.ts';
import { toMicroseconds } from './time.ts';

/** Companies and farmers share the ids of `entity`, both kinds of transaction those of `movement`. */
const tables = [
  'entity',
  'user',
  'member',
  'visibility',
  'card',
  'entity_card',
  'product',
  'currency',
  'premium',
  'form',
  'submission',
  'movement',
] as const;
export type Table = (typeof tables)[number];

/** What every row holds; references are ids, times are ISO 8601 with microseconds. */
export interface Row {
  id: string;
  created_on: string;
  updated_on: string;
}

export interface Condition {
  sql: string;
  values: SQLInputValue[];
}

// A row is its JSON document. What lists filter by is copied out of it once, when it is written.
const columns: Partial<Record<Table, string[]>> = {
  entity: ['buyer'],
  entity_card: ['entity'],
  member: ['company', 'user'],
  visibility: ['company'],
  premium: ['owner'],
  form: ['owner'],
  movement: ['source', 'destination', 'creator', '"transaction"'],
};

const schema = [
  ...tables.map((table) => {
    const copied = (columns[table] ?? []).map(
      (name) => `, ${name} TEXT AS (doc ->> '${name.replaceAll('"', '')}') STORED`,
    );
    return `CREATE TABLE IF NOT EXISTS ${table} (n INTEGER PRIMARY KEY, kind TEXT NOT NULL, created INTEGER NOT NULL,
      updated INTEGER NOT NULL, doc TEXT NOT NULL${copied.join('')});`;
  }),
  'CREATE TABLE IF NOT EXISTS part (kind TEXT PRIMARY KEY, last INTEGER NOT NULL);',
  'CREATE INDEX IF NOT EXISTS entity_card_holder ON entity_card (entity);',
  "CREATE INDEX IF NOT EXISTS entity_card_card ON entity_card (doc ->> 'card');",
  "CREATE INDEX IF NOT EXISTS card_number ON card (doc ->> 'card_id');",
  'CREATE INDEX IF NOT EXISTS payment_of_transaction ON movement ("transaction");',
].join('\n');

export class Store {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** `folder` undefined keeps everything in memory. */
  constructor(folder: string | undefined) {
    if (folder !== undefined) mkdirSync(folder, { recursive: true });
    this.#database = new DatabaseSync(folder === undefined ? ':memory:' : join(folder, 'sandbox.sqlite'), {
      timeout: 5000,
    });
    // In WAL mode NORMAL loses no committed write to kill -9, only to a power cut; FULL would cost a disk flush per write.
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    this.#database.function('icontains', { deterministic: true }, (text, part) =>
      String(text ?? '')
        .toLowerCase()
        .includes(String(part).toLowerCase())
        ? 1
        : 0,
    );
    this.#database.exec(schema);
  }

  /** All that the store holds, for `load`. */
  save(): Uint8Array {
    return this.#database.serialize();
  }

  /** Takes what a store of the same schema has saved in the place of what is here. In memory alone. */
  load(saved: Uint8Array): void {
    this.#statements.clear();
    this.#database.deserialize(saved);
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

  /** The id of the next row of `table`; nothing is kept until it is inserted. */
  nextId(table: Table): string {
    const last = this.#prepare(`SELECT coalesce(max(n), 0) AS last FROM ${table}`).get() as { last: number };
    return encodeId(last.last + 1);
  }

  /** An id for something that lives inside another row, as a form's field does. */
  partId(kind: string): string {
    const statement = this.#prepare(
      'INSERT INTO part VALUES (?, 1) ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last',
    );
    return encodeId((statement.get(kind) as { last: number }).last);
  }

  insert<T extends Row>(table: Table, kind: string, row: T): T {
    // The id comes first in answers, where people look for it.
    const { id, ...rest } = row;
    this.#prepare(`INSERT INTO ${table} (n, kind, created, updated, doc) VALUES (?, ?, ?, ?, ?)`).run(
      decodeId(id) as number,
      kind,
      toMicroseconds(row.created_on),
      toMicroseconds(row.updated_on),
      JSON.stringify({ id, ...rest }),
    );
    return row;
  }

  update<T extends Row>(table: Table, row: T): T {
    this.#prepare(`UPDATE ${table} SET created = ?, updated = ?, doc = ? WHERE n = ?`).run(
      toMicroseconds(row.created_on),
      toMicroseconds(row.updated_on),
      JSON.stringify(row),
      decodeId(row.id) as number,
    );
    return row;
  }

  get(table: Table, id: string, kind?: string): Row | undefined {
    const n = decodeId(id);
    if (n === undefined) return undefined;
    const found = this.#prepare(`SELECT kind, doc FROM ${table} WHERE n = ?`).get(n) as
      | { kind: string; doc: string }
      | undefined;
    return found && (kind === undefined || found.kind === kind) ? JSON.parse(found.doc) : undefined;
  }

  count(table: Table, where: Condition[]): number {
    const { sql, values } = whereClause(where);
    return (this.#prepare(`SELECT count(*) AS count FROM ${table}${sql}`).get(...values) as { count: number }).count;
  }

  /** `order` is SQL over the columns; without it the oldest row comes first. */
  list<T extends Row>(table: Table, where: Condition[], options: ListOptions = {}): T[] {
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

interface ListOptions {
  order?: string;
  limit?: number;
  offset?: number;
}

function whereClause(where: Condition[]): Condition {
  if (where.length === 0) return { sql: '', values: [] };
  return { sql: ` WHERE ${where.map(({ sql }) => sql).join(' AND ')}`, values: where.flatMap(({ values }) => values) };
}

export const equal = (column: string, value: SQLInputValue): Condition => ({ sql: `${column} = ?`, values: [value] });
