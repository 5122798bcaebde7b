import type { Logger } from 'pino';
import { expect } from 'vitest';
import type { OpenPart } from '../../packages/graphql-serve/part.ts';
import { createLogger } from '../../packages/graphql-serve/watch/logger.ts';
import type { Carrier } from '../../packages/replicas/share/carrier.ts';
import type { App } from '../../packages/rest-graph/request/app.ts';
import { PaceSwitch } from '../../packages/sandbox/framework/pace-switch.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../packages/sandbox/server.ts';
import type { TelemetrySettings } from '../../packages/telemetry/exports.ts';
import type { ServiceCosts } from '../../packages/upstream/service-costs.ts';
import { traceability } from '../../src/app.ts';
import { startGateway as startServer } from '../../src/compose.ts';
import type { Config } from '../../src/config.ts';
import { type Answer, type Client, clientOf, type RequestOptions } from './client.ts';
import { flatCosts } from './cost-profiles.ts';
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts';
import { configOf, type Settings } from './settings.ts';

export interface Gateway extends Client, AsyncDisposable {
  /** Address of GraphQL. */
  url: string;
  /** Address of health checks and metrics where they have a port. */
  adminUrl: string | undefined;
  sandbox: Sandbox;
  /** Sends an operation, and reads its answer and its cost. */
  query(document: string, variables?: object, options?: RequestOptions): Promise<Answer>;
  /** Reads the manifests anew. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

export interface FakedGateway extends Gateway {
  upstream: FakeUpstream;
  /** Like `query`, but `calls` includes failed calls. Fails the test if an error shows inside information. */
  queryFailing: Gateway['query'];
}

const plain = {
  // The cost of a document must not depend on earlier tests.
  'cache.lists.ttlMs': '0',
  // A failure that a test makes costs one call.
  'retries.max': '0',
  // Failures of one test must not open a circuit for the next.
  'circuitBreaker.calls': '0',
  IDEMPOTENCY_FILE: ':memory:',
};

/** A store that a busy machine delays must not look like one that hangs. */
const plainFile = { idempotency: { timeoutMs: 30_000 }, redis: { timeoutMs: 30_000 } };

export interface GatewayOptions {
  sandbox?: SandboxOptions;
  settings?: Settings;
  /** By default that with the traceability service. */
  app?: App;
  /** The content of gateway.yaml. */
  file?: object;
  /** Costs by which the gateway plans. By default `flatCosts`, because learnt ones depend on the machine. */
  costs?: ServiceCosts | 'learnt';
  /** URL of the service; a function makes it from the sandbox's own URL. */
  upstreamUrl?: string | ((sandboxUrl: string) => string | Promise<string>);
  serviceName?: string;
  /** GraphiQL changes the pace of the sandbox. */
  switchesPace?: boolean;
  carrier?: Carrier;
  /** Takes each line of the log. */
  log?: (line: string) => void;
  accessLogger?: Logger;
  telemetry?: TelemetrySettings | undefined;
  /** Fewer calls at a time where answers take longer. By default never, because all answers are slow on a busy machine. */
  learnsConcurrency?: boolean;
  /** Plug in beside those of the settings. */
  parts?: readonly OpenPart[];
}

/** Starts the real gateway over the real sandbox, both in this process and on free ports. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const sandbox = await startSandbox({ data: ':memory:', ...options.sandbox });
  const { upstreamUrl = sandbox.url, costs = flatCosts } = options;
  const { app = traceability } = options;
  const { keyHeader } = app.contract;
  const dialect = options.sandbox?.dialect ?? 'spec';
  const LOG_LEVEL = process.env.LOG_LEVEL ?? 'silent';
  const settings = { PORT: '0', UPSTREAM_DIALECT: dialect, LOG_LEVEL, ...plain, ...options.settings };
  const config = configFrom(settings, { ...plainFile, ...options.file });
  const {
    url,
    adminUrl,
    reload,
    close: closeServer,
  } = await startServer(app, {
    config,
    upstreamUrl: typeof upstreamUrl === 'function' ? await upstreamUrl(sandbox.url) : upstreamUrl,
    ...(options.serviceName !== undefined && { serviceName: options.serviceName }),
    ...(costs !== 'learnt' && { costs }),
    ...(options.carrier && { carrier: options.carrier }),
    demoKey: 'demo-coop',
    sandboxPace: options.switchesPace ? new PaceSwitch(sandbox, 'none') : undefined,
    logger: createLogger(config.log, { write: options.log ?? ((line) => process.stdout.write(line)) }, keyHeader),
    telemetry: options.telemetry,
    parts: options.parts ?? [],
    // A busy machine refuses nothing.
    loop: { isBusy: () => false, utilization: () => (options.learnsConcurrency ? 0 : 1) },
    ...(options.accessLogger && { accessLogger: options.accessLogger }),
  });
  const client = clientOf(url);
  const close = async () => {
    await closeServer();
    await sandbox.close();
  };
  return {
    url,
    adminUrl,
    sandbox,
    ...client,
    async query(document, variables = {}, request) {
      sandbox.clearCalls();
      const { status, headers, body } = await client.ask({ query: document, variables }, request);
      const calls = sandbox.calls().map(({ method, path }) => `${method} ${path}`);
      const { data, errors = [], extensions } = body;
      return { status, headers, data, errors, calls, ...(extensions && { extensions }) };
    },
    reload,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Settings that gateways of this worker had. To read them anew takes longer than to start the gateway. */
const configs = new Map<string, Config>();

function configFrom(settings: Settings, file: object): Config {
  const name = JSON.stringify([settings, file]);
  const config = configs.get(name) ?? configOf(settings, file);
  configs.set(name, config);
  return structuredClone(config);
}

/** Starts the same with a fake between gateway and sandbox, which can hold, fail and replace what the sandbox answers. */
export async function startFakedGateway(
  settings: Settings = {},
  options: Pick<
    GatewayOptions,
    'file' | 'costs' | 'sandbox' | 'log' | 'accessLogger' | 'serviceName' | 'learnsConcurrency'
  > = {},
): Promise<FakedGateway> {
  let upstream!: FakeUpstream;
  const gateway = await startGateway({
    ...options,
    settings,
    upstreamUrl: async (target) => {
      upstream = await startFakeUpstream({ target });
      return upstream.url;
    },
  });
  const close = async () => {
    await gateway.close();
    await upstream.close();
  };
  return {
    ...gateway,
    upstream,
    async queryFailing(document, variables, options) {
      upstream.clear();
      const answer = await gateway.query(document, variables, options);
      expectNothingShown(answer, upstream.url);
      return { ...answer, calls: [...upstream.calls] };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const publicExtensions = ['code', 'retryable', 'reference', 'fields', 'upstream_status', 'retry_after', 'request_id'];

/** Holds errors against the service's address and bodies, and the key. */
function expectNothingShown({ errors }: Answer, upstreamUrl: string): void {
  const shown = JSON.stringify(errors);
  const secrets = ['127.0.0.1', new URL(upstreamUrl).port, '/v1', 'supply-chains', 'demo-coop', 'Traceback', '<h1>'];
  expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
  const names = errors.flatMap(({ extensions }) => Object.keys(extensions));
  expect(names.filter((name) => !publicExtensions.includes(name))).toEqual([]);
}
