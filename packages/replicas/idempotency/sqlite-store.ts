import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { withResolvers } from '@gateway/base';
import type { Claim, RecordStore } from './record-store.ts';
import { type SqliteOptions, SqliteRecords, type Step, type StepResult } from './sqlite-records.ts';

const closeTimeoutMs = 1_000;

/**
 * Records in a file that all processes of one machine share; they outlive the processes. Rejects where the file cannot be
 * opened.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<RecordStore> {
  mkdirSync(dirname(options.file), { recursive: true });
  // Records hold the service's answers to its callers, which no other user may read.
  closeSync(openSync(options.file, 'a', 0o600));
  chmodSync(options.file, 0o600);
  // A file that cannot be opened ends the start. The thread takes 30 MB, and starts with the first step.
  new SqliteRecords(options).close();
  let thread: RecordThread | undefined;
  let isClosed = false;
  const start = async () => {
    // Steps may come later, such as those of a probe.
    if (isClosed) throw new Error('The file is closed.');
    // A thread ends before its time for want of memory. The file has all that it has answered.
    if (!thread || thread.hasEnded) thread = new RecordThread(options);
    const started = thread;
    await started.begun;
    return started;
  };
  const take = async (step: Step) => (await start()).take(step);
  return {
    start,
    claim: (write, text) => take({ kind: 'claim', write, text, now: Date.now() }),
    set: (write, text, token) => take({ kind: 'set', write, text, token, now: Date.now() }),
    remove: (write, token) => take({ kind: 'remove', write, token }),
    ping: () => take({ kind: 'ping' }),
    async close() {
      isClosed = true;
      await thread?.close();
    },
  };
}

/** The thread waits for the disk, and for other processes that write to the file. The gateway serves requests meanwhile. */
class RecordThread {
  hasEnded = false;
  /** Resolves when the thread runs. */
  readonly begun: Promise<void>;
  readonly #worker: Worker;
  readonly #closed: Promise<void>;
  /** The results come in the order of their steps. */
  readonly #waiting: PromiseWithResolvers<Claim>[] = [];

  constructor(options: SqliteOptions) {
    // `.js` in the package that npm installs.
    const program = new URL(`./sqlite-thread${extname(import.meta.url)}`, import.meta.url);
    const begun = withResolvers<void>();
    const closed = withResolvers<void>();
    const end = (error: Error) => {
      this.hasEnded = true;
      begun.reject(error);
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    };
    this.begun = begun.promise;
    this.#closed = closed.promise;
    this.#worker = new Worker(program, { workerData: options });
    this.#worker.on('error', end);
    this.#worker.on('exit', () => {
      end(new Error('The thread of the file has ended.'));
      closed.resolve();
    });
    this.#worker.on('message', (results: StepResult[]) => {
      begun.resolve();
      for (const result of results) this.#settle(result);
      if (this.#waiting.length === 0) this.#worker.unref();
    });
  }

  /** Rejects where the step fails. */
  take(step: Step): Promise<Claim> {
    const result = withResolvers<Claim>();
    this.#waiting.push(result);
    // The process must not end before it has the result.
    this.#worker.ref();
    this.#worker.postMessage(step);
    return result.promise;
  }

  /** Resolves when the file is closed, or after a bounded wait: the disk may hang. */
  async close(): Promise<void> {
    if (this.hasEnded) return;
    this.#worker.ref();
    this.#worker.postMessage(null);
    await Promise.race([this.#closed, pause(closeTimeoutMs, undefined, { ref: false })]);
    this.#worker.unref();
  }

  #settle(result: StepResult): void {
    const { resolve, reject } = this.#waiting.shift() as PromiseWithResolvers<Claim>;
    if (result.is === 'failed') reject(Object.assign(new Error(result.message), result));
    else resolve(result);
  }
}
