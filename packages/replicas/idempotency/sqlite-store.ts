import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { withResolvers } from '@gateway/base';
import { type Claim, leaseText, type RecordStore, recordOf } from './record-store.ts';
import { type SqliteOptions, SqliteRecords, type Step, type StepResult } from './sqlite-records.ts';

const closeTimeoutMs = 1_000;

/** Takes steps together, in their order. */
interface RecordFile {
  run(steps: readonly Step[]): Promise<StepResult[]>;
  close(): Promise<void>;
}

/**
 * Records in a file that all processes of one machine share; they outlive the processes. Rejects where the file cannot be
 * opened.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<RecordStore> {
  const file = openInThread(options);
  const batches = new Batches(file);
  return {
    start: file.start,
    async claim(write, lease) {
      const claim = await batches.take({ kind: 'claim', write, text: leaseText(lease), now: Date.now() });
      return claim.is === 'found' ? { is: 'found', record: recordOf(claim.text) } : (claim as Claim);
    },
    async renew(write, lease) {
      await batches.take({ kind: 'renew', write, token: lease.token, text: leaseText(lease), now: Date.now() });
    },
    async set(write, outcome) {
      await batches.take({ kind: 'set', write, text: JSON.stringify(outcome), now: Date.now() });
    },
    async remove(write, { token }) {
      await batches.take({ kind: 'remove', write, token });
    },
    ping: () => batches.take({ kind: 'ping' }),
    close: () => file.close(),
  };
}

/** A thread waits for the disk, and for other processes that write to the file. The gateway serves requests meanwhile. */
function openInThread(options: SqliteOptions): RecordFile & { start(): Promise<unknown> } {
  mkdirSync(dirname(options.file), { recursive: true });
  // Records hold the service's answers to its callers, which no other user may read.
  closeSync(openSync(options.file, 'a', 0o600));
  chmodSync(options.file, 0o600);
  // A file that cannot be opened ends the start. The thread takes 30 MB, and starts with the first step.
  new SqliteRecords(options).close();
  let thread: Promise<RecordFile> | undefined;
  let isClosed = false;
  const start = () => {
    // Steps may come later, such as those of a probe, or of a claim that is taken back.
    if (isClosed) throw new Error('The file is closed.');
    // A thread ends before its time for want of memory. The file has all that it has answered.
    thread ??= startThread(options, () => {
      thread = undefined;
    });
    return thread;
  };
  return {
    start,
    run: async (steps) => (await start()).run(steps),
    close: async () => {
      isClosed = true;
      await (await thread?.catch(() => undefined))?.close();
    },
  };
}

async function startThread(options: SqliteOptions, onEnd: () => void): Promise<RecordFile> {
  // `.js` in the package that npm installs.
  const program = `./sqlite-thread${extname(import.meta.url)}`;
  const worker = new Worker(new URL(program, import.meta.url), { workerData: options });
  let next = withResolvers<StepResult[]>();
  let hasEnded = false;
  const end = (error: Error) => {
    if (!hasEnded) onEnd();
    hasEnded = true;
    next.reject(error);
  };
  worker.on('message', (results: StepResult[]) => {
    worker.unref();
    next.resolve(results);
  });
  worker.on('error', end);
  worker.on('exit', () => end(new Error('The thread of the file has ended.')));
  // The first message says that the thread runs.
  await next.promise;
  return {
    run(steps) {
      next = withResolvers();
      worker.postMessage(steps);
      // The process must not end before it has the results.
      worker.ref();
      return next.promise;
    },
    async close() {
      if (hasEnded) return;
      const closed = withResolvers<void>();
      worker.once('exit', () => closed.resolve());
      // The disk may hang.
      const timer = setTimeout(() => closed.resolve(), closeTimeoutMs);
      worker.postMessage(null);
      await closed.promise;
      clearTimeout(timer);
    },
  };
}

interface Waiting {
  step: Step;
  resolve(result: StepResult): void;
  reject(error: unknown): void;
}

/** Between two transactions: each takes CPU, whether it has one step or twenty. */
const pauseMs = 2;

/** Runs one batch of steps after the other. Steps that come meanwhile are the next batch. */
class Batches {
  readonly #file: RecordFile;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(file: RecordFile) {
    this.#file = file;
  }

  /** Rejects where the step fails. */
  take(step: Step): Promise<StepResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ step, resolve, reject });
      if (!this.#isRunning) this.#begin();
    });
  }

  #begin(): void {
    this.#isRunning = true;
    // Steps of the same turn of the event loop come together.
    setImmediate(() => void this.#run(this.#waiting.splice(0)));
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.#file.run(batch.map(({ step }) => step));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index] as StepResult;
        if (result.is === 'failed') reject(Object.assign(new Error(result.message), result));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    setTimeout(() => {
      this.#isRunning = false;
      if (this.#waiting.length > 0) this.#begin();
    }, pauseMs);
  }
}
