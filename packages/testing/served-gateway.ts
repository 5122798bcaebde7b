import type { Gateway } from '@gateway/graphql-serve';
import { type Sandbox, startSandbox } from '@gateway/sandbox';
import { priorCosts } from '@gateway/upstream';
import { type DocumentNode, print } from 'graphql';
import { pino } from 'pino';
import { traceability } from '../../src/app.ts';
import { startGateway } from '../../src/compose.ts';
import { type Config, settingsFrom } from '../../src/config.ts';
import { serviceContract } from '../../src/service-contract.ts';
import type {
  Failure,
  FailureOptions,
  GraphqlOptions,
  MatchOptions,
  OperationAnswer,
  ServiceAnswer,
  ServiceCall,
  TestGatewayOptions,
} from './api.ts';
import { CallRecorder } from './call-recorder.ts';
import { type Front, openFront } from './front.ts';

/** A request or an answer between the processes, its bytes in base64. */
export interface ForwardedRequest {
  /** For `abort`. */
  id: number;
  path: string;
  method: string;
  headers: [name: string, value: string][];
  body: string | null;
}
export interface ForwardedAnswer extends Pick<ForwardedRequest, 'headers' | 'body'> {
  status: number;
}

/** Headers of one connection, and those that describe bytes as they were before `fetch` unpacked them. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'host',
  'transfer-encoding',
  'content-length',
  'content-encoding',
]);

const cutByReset = {
  message: 'The gateway was reset or stopped during this operation.',
  extensions: { code: 'UPSTREAM_UNAVAILABLE', retryable: false },
};

const optionNames = ['seed', 'now', 'pace', 'dialect', 'settings'];

/** A gateway over a sandbox of its own. Takes and gives JSON alone, because its tests are in another process. */
export class ServedGateway {
  readonly #sandbox: Sandbox;
  readonly #front: Front;
  readonly #undos = new Map<number, () => void>();
  #lastUndo = 0;
  readonly #requests = new Map<number, AbortController>();
  #turn: Promise<void> = Promise.resolve();
  readonly #config: Config;
  #recorder = new CallRecorder();
  #gateway: Gateway | undefined;

  static async start(options: TestGatewayOptions): Promise<ServedGateway> {
    const unknown = Object.keys(options).filter((name) => !optionNames.includes(name));
    if (unknown.length > 0) {
      throw new Error(
        `startGateway: there is no option ${unknown.join(', ')}. The options are ${optionNames.join(', ')}.`,
      );
    }
    const config = configOf(options);
    const { settings: _, ...ofSandbox } = options;
    const served = new ServedGateway(config, await startSandbox(ofSandbox), await openFront());
    await served.#open();
    return served;
  }

  private constructor(config: Config, sandbox: Sandbox, front: Front) {
    this.#config = config;
    this.#sandbox = sandbox;
    this.#front = front;
  }

  url(): string {
    return `http://127.0.0.1:${this.#front.port}/graphql`;
  }

  async graphql(
    document: string | DocumentNode,
    variables: unknown,
    { key = 'demo-coop', headers = {} }: GraphqlOptions,
  ): Promise<OperationAnswer<unknown>> {
    const query = typeof document === 'string' ? document : print(document);
    const sent = new Headers({ 'content-type': 'application/json', 'x-request-id': crypto.randomUUID() });
    if (key !== null) sent.set(serviceContract.keyHeader, key);
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    const body = JSON.stringify({ query, variables });
    const recorder = this.#recorder;
    const calls = () => recorder.calls(sent.get('x-request-id') ?? undefined);
    try {
      const response = await fetch(this.url(), { method: 'POST', headers: sent, body });
      const { status } = response;
      const { data = null, errors = [], extensions } = (await response.json()) as OperationAnswer<unknown>;
      const headers = Object.fromEntries(response.headers);
      return { status, headers, data, errors, ...(extensions && { extensions }), calls: calls() };
    } catch {
      return { status: 503, headers: {}, data: null, errors: [cutByReset], calls: calls() };
    }
  }

  async fetch({ id, path, method, headers, body }: ForwardedRequest): Promise<ForwardedAnswer> {
    const aborted = new AbortController();
    this.#requests.set(id, aborted);
    try {
      const response = await fetch(new URL(path, this.url()), {
        method,
        headers: headers.filter(([name]) => !ofConnection.has(name)),
        ...(body !== null && { body: Buffer.from(body, 'base64') }),
        redirect: 'manual',
        signal: aborted.signal,
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      return {
        status: response.status,
        headers: [...response.headers].filter(([name]) => !ofConnection.has(name)),
        body: response.body === null ? null : bytes.toString('base64'),
      };
    } catch (cause) {
      throw new Error('The gateway was reset or stopped during this request.', { cause });
    } finally {
      this.#requests.delete(id);
    }
  }

  /** The app waits for this request no longer. */
  abort(id: number): void {
    this.#requests.get(id)?.abort();
  }

  calls(): ServiceCall[] {
    return this.#recorder.calls();
  }

  clearCalls(): void {
    this.#recorder.clear();
  }

  fail(endpoint: string, failure: Failure, options: FailureOptions): number {
    return this.#undoable(this.#sandbox.fail(endpoint, failure, options));
  }

  /** JSON has no `Infinity`; it comes as text. */
  delay(endpoint: string, ms: number | 'Infinity', options: MatchOptions): number {
    const delayMs = ms === 'Infinity' ? Number.POSITIVE_INFINITY : ms;
    return this.#undoable(this.#sandbox.delay(endpoint, delayMs, options));
  }

  undo(index: number): void {
    this.#undos.get(index)?.();
  }

  unmet(): string[] {
    return this.#sandbox.unmet();
  }

  /** As the cooperative, whose key is read in this form in both dialects. */
  async elsewhere(method: string, path: string, body?: object): Promise<ServiceAnswer> {
    const headers = { authorization: 'Bearer demo-coop', 'content-type': 'application/json' };
    const response = await fetch(`${this.#sandbox.url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json().catch(() => null) };
  }

  pace(pace: NonNullable<TestGatewayOptions['pace']>): void {
    this.#sandbox.setPace(pace);
  }

  now(): string {
    return this.#sandbox.clock.now();
  }

  setClock(time: string): void {
    this.#sandbox.clock.set(time);
  }

  advanceClock(ms: number): void {
    this.#sandbox.clock.advance(ms);
  }

  /** Closes the gateway first, so that no operation of an earlier test writes into the new rows. */
  reset(seed?: TestGatewayOptions['seed']): Promise<void> {
    return this.#inTurn(async () => {
      await this.#closeGateway();
      try {
        this.#sandbox.reset(seed);
        this.#undos.clear();
        this.#recorder = new CallRecorder();
      } finally {
        // A wrong seed leaves everything as it was.
        await this.#open();
      }
    });
  }

  stop(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#front.close();
      await this.#closeGateway();
      await this.#sandbox.close();
    });
  }

  /** A gateway waits for the answers of its writes, and a test may hold them for ever. */
  async #closeGateway(): Promise<void> {
    this.#front.cut();
    const reconnect = this.#sandbox.disconnect();
    await this.#gateway?.close();
    reconnect();
  }

  /** Each closes the gateway that the one before it opened. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** No number comes twice, also after `reset`, so that a late `undo` undoes nothing of the next test. */
  #undoable(undo: () => void): number {
    this.#lastUndo += 1;
    this.#undos.set(this.#lastUndo, undo);
    return this.#lastUndo;
  }

  async #open(): Promise<void> {
    this.#gateway = await startGateway(traceability, {
      config: this.#config,
      upstreamUrl: this.#sandbox.url,
      logger: pino({ level: 'silent' }),
      // Learnt costs would depend on the machine, and with them the calls.
      costs: priorCosts(serviceContract),
      // The machine of the tests may be busy, and the gateway refuses nothing because of that.
      loop: { isBusy: () => false, utilization: () => 1 },
      // The clock may be set, and may stand.
      serviceClock: () => Date.parse(this.#sandbox.clock.now()),
      parts: [() => ({ spans: this.#recorder })],
    });
    this.#front.target = new URL(this.#gateway.url);
  }
}

/** Settings of tests: a failure shows at once, costs one call, and stops no later call. */
const plain = {
  server: { corsOrigins: '*' },
  graphql: { graphiql: false },
  retries: { max: 0 },
  circuitBreaker: { calls: 0 },
  idempotency: { file: ':memory:' },
  shutdown: { delayMs: 0, timeoutMs: 1 },
  log: { level: 'silent' },
};

/** In place of the addresses of a deployment: gateways side by side have one process and a port each. */
const alone = { host: '127.0.0.1', port: 0, adminPort: null, workers: 1 };

function configOf({ dialect = 'spec', settings = {} }: TestGatewayOptions): Config {
  const upstream = { dialect, forwardHeaders: ['x-sandbox-delay', 'x-sandbox-fail'] };
  const file = merge(merge({ ...plain, upstream }, settings), { server: alone });
  return settingsFrom({ file, fileName: 'settings' }).config;
}

function merge(base: object, over: object): object {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const known = merged[name];
    merged[name] = isGroup(known) && isGroup(value) ? merge(known, value) : value;
  }
  return merged;
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
