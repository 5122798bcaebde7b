import type { Logger } from 'pino';
import type { OtherWorkers } from '../../src/cluster/cache-invalidation.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { startGateway as startServer } from '../../src/server/gateway.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever their document asked for
  data: any;
  extensions?: Record<string, unknown>;
  errors: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[];
  /** What the operation cost: each call that the REST service got, like "GET /supply-chains/farmers/?limit=20&offset=0". */
  calls: string[];
}

export interface Gateway {
  /** Where GraphQL is served. */
  url: string;
  sandbox: Sandbox;
  /** Sends an operation as the cooperative, or as the holder of another key (null: of none). */
  query(document: string, variables?: object, options?: { key?: string | null; headers?: object }): Promise<Answer>;
  close(): Promise<void>;
}

const plain = {
  // A document must cost what it costs the first caller, whatever another test has asked before.
  CATALOG_TTL_MS: '0',
  // What a test makes fail is asked for once.
  UPSTREAM_RETRIES: '0',
  // What fails in one test serves the next one.
  UPSTREAM_BREAKER_CALLS: '0',
  IDEMPOTENCY_FILE: ':memory:',
};

/** The real gateway over the real sandbox, both in this process and on free ports; gone after `close`. */
export async function startGateway(
  options: {
    sandbox?: SandboxOptions;
    settings?: Record<string, string>;
    /** Where the gateway finds its service; may be made of the sandbox's own URL. */
    upstreamUrl?: string | ((sandboxUrl: string) => string | Promise<string>);
    serviceName?: string;
    others?: OtherWorkers;
    /** Gets what is logged, line by line. */
    log?: (line: string) => void;
    accessLogger?: Logger;
  } = {},
): Promise<Gateway> {
  const sandbox = await startSandbox({ data: ':memory:', ...options.sandbox });
  const { upstreamUrl = sandbox.url } = options;
  const dialect = options.sandbox?.dialect ?? 'spec';
  const LOG_LEVEL = process.env.LOG_LEVEL ?? 'silent';
  const config = readConfig({ PORT: '0', UPSTREAM_DIALECT: dialect, LOG_LEVEL, ...plain, ...options.settings });
  const gateway = await startServer({
    config,
    upstreamUrl: typeof upstreamUrl === 'function' ? await upstreamUrl(sandbox.url) : upstreamUrl,
    ...(options.serviceName !== undefined && { serviceName: options.serviceName }),
    ...(options.others && { others: options.others }),
    graphiqlHeaders: { Authorization: 'demo-coop' },
    logger: createLogger(config, options.log && { write: options.log }),
    ...(options.accessLogger && { accessLogger: options.accessLogger }),
  });
  return {
    url: gateway.url,
    sandbox,
    async query(document, variables = {}, { key = 'demo-coop', headers = {} } = {}) {
      sandbox.clearCalls();
      const response = await fetch(gateway.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key !== null && { authorization: key }), ...headers },
        body: JSON.stringify({ query: document, variables }),
      });
      const {
        data,
        errors = [],
        extensions,
      } = (await response.json()) as Pick<Answer, 'data' | 'errors' | 'extensions'>;
      const calls = sandbox.calls().map(({ method, path }) => `${method} ${path}`);
      return {
        status: response.status,
        headers: response.headers,
        data,
        errors,
        calls,
        ...(extensions && { extensions }),
      };
    },
    async close() {
      await gateway.close();
      await sandbox.close();
    },
  };
}
