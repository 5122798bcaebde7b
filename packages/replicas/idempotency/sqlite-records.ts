import { DatabaseSync } from 'node:sqlite';
import type { Claim, RecordLimits, Write } from './record-store.ts';

/**
 * Rows come in the order of their claims. A random order would change another page of the file for each. Each process counts
 * its own changes: the writes of a caller, and under an empty id those of all.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS write (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, field TEXT NOT NULL, request TEXT NOT NULL, caller TEXT NOT NULL,
    text TEXT NOT NULL, expires INTEGER NOT NULL);
  CREATE UNIQUE INDEX IF NOT EXISTS write_name ON write (key, field);
  CREATE TABLE IF NOT EXISTS caller (id TEXT PRIMARY KEY, writes INTEGER NOT NULL) WITHOUT ROWID;
  DELETE FROM caller WHERE writes <= 0;
  DROP TABLE IF EXISTS record;
  CREATE TEMP TRIGGER IF NOT EXISTS added AFTER INSERT ON write BEGIN
    INSERT INTO caller VALUES (NEW.caller, 1), ('', 1) ON CONFLICT DO UPDATE SET writes = writes + 1;
  END;
  CREATE TEMP TRIGGER IF NOT EXISTS removed AFTER DELETE ON write BEGIN
    UPDATE caller SET writes = writes - 1 WHERE id IN (OLD.caller, '');
    DELETE FROM caller WHERE id = OLD.caller AND writes <= 0;
  END;
`;

/** How long a process waits for another one that is writing to the file. */
const busyTimeoutMs = 5_000;
const cleanupIntervalMs = 60_000;
/** Expired records that one cleanup removes. */
const cleanupRows = 1_000;

/** A change of one record, at a time in milliseconds since 1970. */
export type Step =
  | { kind: 'claim' | 'set'; write: Write; text: string; token?: string | undefined; now: number }
  | { kind: 'remove'; write: Write; token: string }
  | { kind: 'ping' };

/** A step that is no claim is `granted` too. */
export type StepResult = Claim | ({ is: 'failed' } & SqliteFailure);

/** An error of SQLite. An Error would lose code and `errstr` on its way to another thread. */
export interface SqliteFailure {
  message: string;
  code?: string;
  errstr?: string;
}

export interface SqliteOptions extends RecordLimits {
  file: string;
}

interface Row {
  field: string;
  request: string;
  text: string;
}

/** The records in an SQLite file. Blocks its thread while it reads and writes. */
export class SqliteRecords {
  readonly #limits: RecordLimits;
  readonly #database: DatabaseSync;
  readonly #statements: ReturnType<typeof prepare>;
  #cleanedUpAt = 0;

  /** @throws Error where the file cannot be opened. */
  constructor({ file, ...limits }: SqliteOptions) {
    this.#limits = limits;
    this.#database = new DatabaseSync(file, { timeout: busyTimeoutMs });
    // Each claim waits until it is on the disk: a claim lost with the power would allow a second write.
    whileBusy(() => this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;'));
    whileBusy(() => this.#database.exec(schema));
    this.#statements = prepare(this.#database);
  }

  /** Takes all steps in one transaction, which waits for the disk once. */
  run(steps: readonly Step[]): StepResult[] {
    try {
      return this.#inTransaction(() => steps.map((step) => this.#take(step)));
    } catch (error) {
      // A step that fails, such as for want of room, must not fail the others.
      if (steps.length > 1 && !isBusy(error)) return steps.flatMap((step) => this.run([step]));
      const { message, code, errstr } = error as SqliteFailure;
      return steps.map(() => ({ is: 'failed', message, code, errstr }));
    }
  }

  close(): void {
    this.#database.close();
  }

  #inTransaction<T>(run: () => T): T {
    this.#statements.begin.run();
    try {
      const result = run();
      this.#statements.commit.run();
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#statements.rollback.run();
      throw error;
    }
  }

  #take(step: Step): StepResult {
    if (step.kind === 'claim') return this.#claim(step.write, step.text, step.now);
    if (step.kind === 'set') this.#set(step.write, step.text, step.now, step.token);
    if (step.kind === 'remove') this.#statements.remove.run(step.write.key, step.write.field, step.token);
    return { is: 'granted' };
  }

  #claim(write: Write, text: string, now: number): StepResult {
    this.#cleanUp(now);
    this.#statements.removeExpired.run(write.key, now);
    const rows = this.#statements.find.all(write.key) as unknown as Row[];
    if (rows.some(({ request }) => request !== write.request)) return { is: 'of another request' };
    const found = rows.find(({ field }) => field === write.field);
    if (found) return { is: 'found', text: found.text };
    if (this.#countOf(write.caller) >= this.#limits.writesPerCaller)
      return { is: 'refused', setting: 'writesPerCaller' };
    if (this.#countOf('') >= this.#limits.writes) return { is: 'refused', setting: 'writes' };
    this.#insert(write, text, now + this.#limits.ttlMs);
    return { is: 'granted' };
  }

  #set(write: Write, text: string, now: number, token?: string): void {
    const expires = now + this.#limits.ttlMs;
    const { changes } = this.#statements.set.run(text, expires, write.key, write.field, token ?? '');
    if (changes === 0 && token === undefined) this.#insert(write, text, expires);
  }

  #insert({ key, field, request, caller }: Write, text: string, expires: number): void {
    this.#statements.insert.run(key, field, request, caller, text, expires);
  }

  #cleanUp(now: number): void {
    if (now - this.#cleanedUpAt < cleanupIntervalMs) return;
    const { changes } = this.#statements.cleanUp.run(now);
    if (Number(changes) < cleanupRows) this.#cleanedUpAt = now;
  }

  #countOf(caller: string): number {
    return (this.#statements.getCount.get(caller)?.writes ?? 0) as number;
  }
}

function prepare(database: DatabaseSync) {
  return {
    begin: database.prepare('BEGIN IMMEDIATE'),
    commit: database.prepare('COMMIT'),
    rollback: database.prepare('ROLLBACK'),
    find: database.prepare('SELECT field, request, text FROM write WHERE key = ?'),
    insert: database.prepare(
      'INSERT INTO write (key, field, request, caller, text, expires) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    // Each text begins with the empty token.
    set: database.prepare('UPDATE write SET text = ?, expires = ? WHERE key = ? AND field = ? AND instr(text, ?) = 1'),
    remove: database.prepare('DELETE FROM write WHERE key = ? AND field = ? AND instr(text, ?) = 1'),
    removeExpired: database.prepare('DELETE FROM write WHERE key = ? AND expires <= ?'),
    cleanUp: database.prepare(`DELETE FROM write WHERE expires <= ?
      AND id IN (SELECT id FROM write ORDER BY id LIMIT ${cleanupRows})`),
    getCount: database.prepare('SELECT writes FROM caller WHERE id = ?'),
  };
}

/** SQLITE_BUSY. */
const busy = 5;

const noEvent = new Int32Array(new SharedArrayBuffer(4));
const busyPauseMs = 5;

/** Waits for other processes that open the file. SQLite does not wait by itself to change the journal. */
function whileBusy(open: () => void): void {
  const due = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      open();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > due) throw error;
      Atomics.wait(noEvent, 0, 0, busyPauseMs);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}
