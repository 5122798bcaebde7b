import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Call, CallLog } from './framework/calls.ts';
import { basePaths, type Dialect } from './framework/dialect.ts';
import { type FaultOptions, Faults } from './framework/faults.ts';
import { buildHttp } from './framework/http.ts';
import { InvoiceFolder } from './framework/invoices.ts';
import { openStore } from './framework/open-store.ts';
import { strictClock } from './framework/time.ts';

export type { Call, StoredFile } from './framework/calls.ts';

export interface SandboxOptions extends FaultOptions {
  /** 0, the default, is a free port. */
  port?: number;
  host?: string;
  /** Folder of the database and the invoices. By default `:memory:`, whose data end with `close`. */
  data?: string;
  dialect?: Dialect;
  /** Caps `limit`; Infinity for no cap. */
  maxPageSize?: number;
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
  close(): Promise<void>;
}

/** A second implementation of the REST service, seeded when its store is empty. Rejects when the port is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    port = 0,
    host = '127.0.0.1',
    data = ':memory:',
    dialect = 'spec',
    maxPageSize = 100,
    log = () => {},
  } = options;
  const folder = data === ':memory:' ? undefined : data;
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const store = openStore(folder);
  const invoices = new InvoiceFolder(folder === undefined ? undefined : join(folder, 'invoices'));
  const calls = new CallLog();
  const app = buildHttp({
    store,
    invoices,
    calls,
    faults: new Faults(options),
    dialect,
    maxPageSize,
    now: strictClock(),
    log,
  });
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
    close: () => (closing ??= close()),
  };
}
