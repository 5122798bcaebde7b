import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordStore } from './record-store.ts';

const schema = `
  CREATE TABLE IF NOT EXISTS record (id TEXT PRIMARY KEY, text TEXT NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS record_expires ON record (expires);
`;

/** Milliseconds that a process waits for another one that is writing: at the start, and then at each step. */
const patience = 5_000;
const patienceOfSteps = 50;
/** Milliseconds between two clearings of what has expired. */
const clearingPause = 60_000;

/**
 * Records in a file that all processes of one machine share; they outlive the processes. `:memory:` keeps them as long as
 * this process lives. `ttl`: milliseconds.
 * @throws Error where the file cannot be opened.
 */
export function openSqliteStore(file: string, ttl: number): RecordStore {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: patience });
  // What the service has answered to its callers is nobody else's business.
  if (file !== ':memory:') chmodSync(file, 0o600);
  // A claim that is lost with the power would let the write be made again, so each waits until it is on the disk.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  database.exec(schema);
  // SQLite waits without doing anything else, and with it all requests of this process.
  database.exec(`PRAGMA busy_timeout = ${patienceOfSteps}`);
  const claim = database.prepare(`
    INSERT INTO record (id, text, expires) VALUES (:id, :text, :expires) ON CONFLICT (id)
    DO UPDATE SET text = excluded.text, expires = excluded.expires WHERE record.expires <= :now`);
  const find = database.prepare('SELECT text FROM record WHERE id = ?');
  const set = database.prepare('INSERT OR REPLACE INTO record (id, text, expires) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM record WHERE id = :id AND text = coalesce(:text, text)');
  const clear = database.prepare('DELETE FROM record WHERE expires <= ?');
  let clearedAt = 0;

  return {
    claim: (id, text) =>
      patiently(() => {
        const now = Date.now();
        if (now - clearedAt >= clearingPause) {
          clear.run(now);
          clearedAt = now;
        }
        // Between the two steps another process may remove what is in the way.
        for (;;) {
          if (claim.run({ id, text, expires: now + ttl, now }).changes === 1) return undefined;
          const found = find.get(id) as { text: string } | undefined;
          if (found) return found.text;
        }
      }),
    set: (id, text) => patiently(() => void set.run(id, text, Date.now() + ttl)),
    remove: (id, text) => patiently(() => void remove.run({ id, text: text ?? null })),
    async close() {
      database.close();
    },
  };
}

/** Tries a step until no other process is in its way. */
async function patiently<T>(step: () => T): Promise<T> {
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      return step();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await pause(patienceOfSteps);
    }
  }
}

const busy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}
