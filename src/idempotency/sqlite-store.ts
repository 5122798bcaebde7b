import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordStore } from './record-store.ts';

const schema = `
  CREATE TABLE IF NOT EXISTS record (id TEXT PRIMARY KEY, text TEXT NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS record_expires ON record (expires);
`;

/** How long a process waits for another one that is writing to the file. */
const busyTimeoutMs = 5_000;
/** How long SQLite waits in one attempt, and how long the process pauses between two. */
const attemptMs = 50;
/** How often expired records are removed. */
const cleanupIntervalMs = 60_000;

/**
 * Records in a file that all processes of one machine share; they outlive the processes. `:memory:` keeps them as long as
 * this process lives.
 * @throws Error where the file cannot be opened.
 */
export function openSqliteStore(file: string, ttlMs: number): RecordStore {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
  // Records hold the service's answers to its callers, which no other user may read.
  if (file !== ':memory:') chmodSync(file, 0o600);
  // Each claim waits until it is on the disk: a claim lost with the power would allow a second write.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  database.exec(schema);
  // SQLite blocks all requests of this process while it waits.
  database.exec(`PRAGMA busy_timeout = ${attemptMs}`);
  const claim = database.prepare(`
    INSERT INTO record (id, text, expires) VALUES (:id, :text, :expires) ON CONFLICT (id)
    DO UPDATE SET text = excluded.text, expires = excluded.expires WHERE record.expires <= :now`);
  const find = database.prepare('SELECT text FROM record WHERE id = ?');
  const set = database.prepare('INSERT OR REPLACE INTO record (id, text, expires) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM record WHERE id = :id AND text = coalesce(:text, text)');
  const removeExpired = database.prepare('DELETE FROM record WHERE expires <= ?');
  let cleanedUpAt = 0;

  return {
    claim: (id, text) =>
      retryWhileBusy(() => {
        const now = Date.now();
        if (now - cleanedUpAt >= cleanupIntervalMs) {
          removeExpired.run(now);
          cleanedUpAt = now;
        }
        // Between the two steps another process may remove the text.
        for (;;) {
          if (claim.run({ id, text, expires: now + ttlMs, now }).changes === 1) return undefined;
          const found = find.get(id) as { text: string } | undefined;
          if (found) return found.text;
        }
      }),
    set: (id, text) => retryWhileBusy(() => void set.run(id, text, Date.now() + ttlMs)),
    remove: (id, text) => retryWhileBusy(() => void remove.run({ id, text: text ?? null })),
    async close() {
      database.close();
    },
  };
}

/** Repeats a step while another process is writing to the file. */
async function retryWhileBusy<T>(step: () => T): Promise<T> {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      return step();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await pause(attemptMs);
    }
  }
}

/** SQLITE_BUSY. */
const busy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}
