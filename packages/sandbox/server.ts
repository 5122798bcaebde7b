import { mkdirSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { type Call, CallLog } from './framework/calls.ts';
import { Clock } from './framework/clock.ts';
import { basePaths, type Dialect } from './framework/dialect.ts';
import { Failures } from './framework/failures.ts';
import { type FaultOptions, Faults } from './framework/faults.ts';
import { buildHttp, type Parts } from './framework/http.ts';
import { InvoiceFolder } from './framework/invoices.ts';
import { openStore, saveWorld } from './framework/open-store.ts';
import type { Failure, FailureOptions, MatchOptions, Pace, SandboxClock, SandboxSeed } from './framework/options.ts';
import { paceOf } from './framework/pace.ts';
import { worldEnd } from './framework/seed-clock.ts';
import { accessSeconds } from './framework/tokens.ts';
import { Workers } from './framework/workers.ts';

export type { Call, StoredFile } from './framework/calls.ts';

export interface SandboxOptions extends FaultOptions {
  /** 0, the default, is a free port. */
  port?: number;
  host?: string;
  /** Folder of the database and the invoices. By default `:memory:`, whose data end with `close`. */
  data?: string;
  dialect?: Dialect;
  /** The rows of a new store. By default the world of `npm start`. */
  seed?: SandboxSeed | undefined;
  /** The clock stands at this time. By default it runs. */
  now?: string | Date | undefined;
  /** Caps `limit`; Infinity for no cap. By default 100, and no cap in the dialect `connect`. */
  maxPageSize?: number;
  /** Rows of one time come in another order for each `limit` and `offset`. By default in the dialect `connect`. */
  shufflesTies?: boolean;
  /** In `connect`: the lists have the filters of the older version alone, and ignore the others. By default false. */
  olderFilters?: boolean;
  /** The life of a token that signing in gives. By default five minutes. */
  tokenSeconds?: number;
  /** The costs of calls. By default an answer comes as fast as the sandbox can give it. */
  pace?: 'real' | 'none' | Pace | undefined;
  /** Replaces the workers of the pace. */
  workers?: number | undefined;
  /** Receives the stack of each bug of the sandbox. */
  log?: (message: string) => void;
}

export interface Sandbox {
  /** The base URL, version segment included, without a slash at its end. */
  url: string;
  port: number;
  /** The latest calls below the base URL, oldest first. */
  calls(): Call[];
  clearCalls(): void;
  /** Changes the pace for the calls that come from now on, over idle workers. */
  setPace(pace: 'real' | 'none' | Pace): void;
  clock: SandboxClock;
  /**
   * Fails the calls to an endpoint, such as `listFarmers`, until the returned function undoes it.
   * @throws Error that names the endpoints there are.
   */
  fail(endpoint: string, failure: Failure, options?: FailureOptions): () => void;
  /** Delays the answers of an endpoint. `Infinity` holds them until the returned function lets them go. */
  delay(endpoint: string, ms: number, options?: MatchOptions): () => void;
  /** A sentence for each failure and delay that no call has met. */
  unmet(): string[];
  /** Breaks off all connections, and each new one until the returned function takes connections again. */
  disconnect(): () => void;
  /**
   * Gives a store in memory its first rows again, or those of `seed`. Calls, invoices, failures, delays, pace and clock
   * become as they began.
   */
  reset(seed?: SandboxSeed): void;
  close(): Promise<void>;
}

/** A second implementation of the REST service, seeded when its store is empty. Rejects when the port is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    port = 0,
    host = '127.0.0.1',
    data = ':memory:',
    dialect = 'spec',
    maxPageSize = dialect === 'connect' ? Number.MAX_SAFE_INTEGER : 100,
    shufflesTies = dialect === 'connect',
    olderFilters = false,
    tokenSeconds = accessSeconds,
    log = () => {},
    seed,
  } = options;
  const clock = new Clock(options.now);
  // Rows of a seed are older than all writes. Where the clock runs, they end where the world of `npm start` does.
  const end = options.now === undefined ? worldEnd : clock.now();
  const rowsOf = (rows: SandboxSeed | undefined) => rows && { seed: rows, end };
  const workersOf = (pace: 'real' | 'none' | Pace = 'none') => {
    const costs = paceOf(pace);
    return costs ? new Workers({ ...costs, workers: options.workers ?? costs.workers }) : undefined;
  };
  const folder = data === ':memory:' ? undefined : data;
  // Node tries for ever to make a folder there.
  if (folder !== undefined && resolve(folder).startsWith('/proc/')) throw new Error(`${folder} takes no data.`);
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const store = openStore(folder, rowsOf(seed));
  const invoices = new InvoiceFolder(folder === undefined ? undefined : join(folder, 'invoices'), {
    countsFiles: options.now !== undefined,
  });
  const calls = new CallLog();
  const parts: Parts = {
    store,
    invoices,
    calls,
    faults: new Faults(options),
    failures: new Failures(),
    workers: workersOf(options.pace),
    dialect,
    maxPageSize,
    shufflesTies,
    olderFilters,
    tokenSeconds,
    now: () => clock.tick(),
    uploads: new Set(),
    resets: 0,
    log,
  };
  const { failures } = parts;
  const app = buildHttp(parts);
  let closing: Promise<void> | undefined;
  const close = async () => {
    await app.close();
    await Promise.allSettled(parts.uploads);
    store.close();
    invoices.close();
  };
  try {
    await app.listen({ port, host });
  } catch (error) {
    await close();
    throw error;
  }
  const bound = (app.server.address() as AddressInfo).port;
  const authority = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${authority}:${bound}${basePaths[dialect]}`,
    port: bound,
    calls: () => calls.all(),
    clearCalls: () => calls.clear(),
    setPace: (pace) => {
      parts.workers = workersOf(pace);
    },
    clock,
    fail: (endpoint, failure, matching) => failures.fail(endpoint, failure, matching),
    delay: (endpoint, ms, matching) => failures.delay(endpoint, ms, matching),
    unmet: () => failures.unmet(),
    disconnect() {
      const breakOff = (socket: Socket) => socket.destroy();
      app.server.on('connection', breakOff);
      app.server.closeAllConnections();
      return () => app.server.off('connection', breakOff);
    },
    reset: (rows = seed) => {
      if (folder !== undefined)
        throw new Error(`reset() needs a store in memory; this one keeps its data in ${folder}.`);
      // A wrong seed leaves everything as it was.
      const first = saveWorld(rowsOf(rows));
      clock.reset();
      store.load(first);
      parts.resets += 1;
      parts.faults = new Faults(options);
      parts.workers = workersOf(options.pace);
      failures.reset();
      calls.clear();
      invoices.clear();
    },
    close: () => (closing ??= close()),
  };
}
