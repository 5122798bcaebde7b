import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Call, CallLog } from './framework/calls.ts';
import { basePaths, type Dialect } from './framework/dialect.ts';
import { type FaultOptions, Faults } from './framework/faults.ts';
import { buildHttp, type Parts } from './framework/http.ts';
import { InvoiceFolder } from './framework/invoices.ts';
import { openStore } from './framework/open-store.ts';
import type { Pace } from './framework/pace.ts';
import { strictClock } from './framework/time.ts';
import { Workers } from './framework/workers.ts';

export type { Call, StoredFile } from './framework/calls.ts';

export interface SandboxOptions extends FaultOptions {
  /** 0, the default, is a free port. */
  port?: number;
  host?: string;
  /** Folder of the database and the invoices. By default `:memory:`, whose data end with `close`. */
  data?: string;
  dialect?: Dialect;
  /** Caps `limit`; Infinity for no cap. By default 100, and no cap in the dialect `connect`. */
  maxPageSize?: number;
  /** Rows of one time come in another order for each `limit` and `offset`. By default in the dialect `connect`. */
  shufflesTies?: boolean;
  /** In `connect`: the lists have the filters of the older version alone, and ignore the others. By default false. */
  olderFilters?: boolean;
  /** The costs of calls. By default an answer comes as fast as the sandbox can give it. */
  pace?: Pace | undefined;
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
  setPace(pace: Pace): void;
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
    log = () => {},
  } = options;
  const workersOf = (pace: Pace) => new Workers({ ...pace, workers: options.workers ?? pace.workers });
  const folder = data === ':memory:' ? undefined : data;
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const store = openStore(folder);
  const invoices = new InvoiceFolder(folder === undefined ? undefined : join(folder, 'invoices'));
  const calls = new CallLog();
  const parts: Parts = {
    store,
    invoices,
    calls,
    faults: new Faults(options),
    workers: options.pace && workersOf(options.pace),
    dialect,
    maxPageSize,
    shufflesTies,
    olderFilters,
    now: strictClock(),
    log,
  };
  const app = buildHttp(parts);
  let closing: Promise<void> | undefined;
  const close = async () => {
    await app.close();
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
    close: () => (closing ??= close()),
  };
}
