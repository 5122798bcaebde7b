import type {
  EndpointName,
  Failure,
  FailureOptions,
  MatchOptions,
  Pace,
  SandboxClock,
  SandboxSeed,
} from './sandbox-types.ts';

export type * from './sandbox-types.ts';

export interface TestGatewayOptions {
  /** The rows of the service: numbers, or rows. By default the world of `npm start`. */
  seed?: SandboxSeed;
  /** The service's clock stands still at this time. By default it runs. */
  now?: string | Date;
  /** How slow the service is. By default `none`: as fast as it can. */
  pace?: 'none' | 'real' | Pace;
  /** The dialect of the service. By default `spec`. */
  dialect?: 'spec' | 'connect';
  /** The content of a gateway.yaml, such as `{ limits: { operations: { upstreamCalls: 20 } } }`. */
  settings?: object;
}

/** A gateway over a service of its own, both in memory. */
export interface TestGateway {
  /** Where GraphQL is served, such as `http://127.0.0.1:40123/graphql`. `reset` keeps it. */
  readonly url: string;
  /** Sends an operation, and never rejects for its errors. One that `reset` or `stop` cuts has an error too. */
  // biome-ignore lint/suspicious/noExplicitAny: a document without a type may answer anything
  graphql<Data = any, Variables = Record<string, unknown>>(
    document: GraphqlDocument<Data, Variables>,
    variables?: Variables,
    options?: GraphqlOptions,
  ): Promise<OperationAnswer<Data>>;
  /** Answers a request of the app, whatever its host. Takes the place of the global `fetch`, and answers MSW's requests. */
  readonly fetch: typeof globalThis.fetch;
  /** The calls of the service since the start, `reset` or `clearCalls`, in the order of their start. */
  calls(): Promise<ServiceCall[]>;
  clearCalls(): Promise<void>;
  /** Fails calls of an endpoint until `undo`, or for `times` calls. */
  fail(endpoint: EndpointName, failure: Failure, options?: FailureOptions): Promise<Undo>;
  /** Delays calls of an endpoint; `Infinity` holds their answers until `undo`. */
  delay(endpoint: EndpointName, ms: number, options?: MatchOptions): Promise<Undo>;
  /** A sentence for each failure and delay that no call has met. */
  unmet(): Promise<string[]>;
  /** Calls the service past the gateway, as another app does: `elsewhere('DELETE', '/transactions/product-transactions/P1/')`. */
  elsewhere(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<ServiceAnswer>;
  pace(pace: 'none' | 'real' | Pace): Promise<void>;
  /** The service's clock, which stands still where the option `now` is given. */
  readonly clock: AsyncClock;
  /** Rows, files, calls, failures, pace and clock as they began, and a gateway without caches and Idempotency-Keys. */
  reset(seed?: SandboxSeed): Promise<void>;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export type Undo = () => Promise<void>;

/** As `SandboxClock`, from another process. */
export type AsyncClock = {
  [Method in keyof SandboxClock]: (
    ...args: Parameters<SandboxClock[Method]>
  ) => Promise<ReturnType<SandboxClock[Method]>>;
};

/** A text, the result of a `gql` tag, or a typed document of a code generator. */
export type GraphqlDocument<Data, Variables> =
  | string
  | { readonly __apiType?: (variables: Variables) => Data; toString(): string };

export interface GraphqlOptions {
  /** The API key. By default `demo-coop`; null sends none. */
  key?: string | null;
  headers?: Record<string, string>;
}

export interface OperationAnswer<Data> {
  status: number;
  headers: Record<string, string>;
  data: Data | null;
  /** Empty without errors. */
  errors: OperationError[];
  extensions?: Record<string, unknown>;
  /** The calls of this operation. */
  calls: ServiceCall[];
}

export interface OperationError {
  message: string;
  path?: (string | number)[];
  locations?: { line: number; column: number }[];
  extensions: { code: string; [name: string]: unknown };
}

/** The answer of the REST service to a call past the gateway. */
export interface ServiceAnswer {
  status: number;
  /** The JSON of the service, in its envelope if the dialect has one; null without JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the service may answer anything
  body: any;
}

/** One call of the REST service. */
export interface ServiceCall {
  endpoint: EndpointName;
  method: string;
  /** The path of the specification, such as `/supply-chains/farmers/{hashid}/`. */
  path: string;
  /** The id in the path; absent for lists and creations. */
  id?: string;
  /** Filters of a list, `limit` and `offset`; absent without any. */
  query?: Readonly<Record<string, string | number>>;
  /** The HTTP status; null where no answer came. */
  status: number | null;
  /** Rows of a list, or 1. */
  rows: number;
  /** Milliseconds that a real service works for it, by the contract. They do not depend on this machine. */
  ms: number;
  /** Why the gateway made the call: `root`, `by id`, `list scan`, `write` and others. */
  reason: string;
  /** The fields that asked for it, such as `farmers` or `Farmer.buyer`. */
  fields: string[];
}

/** The most that something may cost. */
export interface CostLimits {
  calls?: number;
  /** The sum of `ms` of the calls. */
  ms?: number;
  rows?: number;
}

/** Anything with calls: a gateway, the answer of `graphql`, or the calls themselves. */
export type Costly = { calls: ServiceCall[] | (() => Promise<ServiceCall[]>) } | ServiceCall[];

export interface MatcherResult {
  pass: boolean;
  message: () => string;
}

/** A type alias, because Playwright asks for an index signature, which an interface lacks. */
export type Matchers = {
  /** Fails if the calls of the service are more, or cost more, than the limits. */
  toCostAtMost(received: Costly, limits: CostLimits): Promise<MatcherResult>;
};
