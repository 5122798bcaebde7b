import {
  AnswerLimit,
  type Caller,
  type Deadlines,
  type Field,
  type Histogram,
  isNoValue,
  type MemoryShare,
  noKey,
  UpstreamError,
  type WriteRecordStore,
  type WriteRecords,
} from '@gateway/base';
import { type CallBudget, fromUpstreamError, Scope, type Upstream } from '@gateway/upstream';
import { type FieldNode, GraphQLError, type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import { Loaders } from '../load/loaders.ts';
import { Reader } from '../load/reader.ts';
import type { RootPlan } from '../plan/root-plan.ts';
import type { UpstreamReport } from './upstream-report.ts';
import { type TraceOptions, UpstreamTrace } from './upstream-trace.ts';
import { Writes } from './writes.ts';

/** Bounds of one operation. */
export interface OperationLimits {
  /** Rows of a page. */
  pageSize: number;
  upstreamCalls: number;
  /** Objects that an operation may ask for, as far as its document says. */
  cost: number;
  /** Objects and bytes of an answer. */
  objects: number;
  answerBytes: number;
  /** Media types of uploaded files, in place of those of the contract. */
  fileTypes?: readonly string[] | undefined;
}

/** The parts of a service that all its requests share. */
export interface Service {
  upstream: Upstream;
  /** The numbers of keys in batches. */
  batches: Histogram<'loader'>;
  /** The records of writes that have a key of their own. */
  records: WriteRecordStore;
  /** The settings of the app's own code, which alone knows their type. */
  settings: object;
  limits: OperationLimits;
  /** The memory of running operations: the answers that they have read, and those that they make. */
  memory: MemoryShare;
  /** The time of operations. */
  deadlines: Deadlines;
}

/** How one operation runs. */
export interface ContextOptions extends TraceOptions {
  /** The most calls, where fewer are allowed than by the limits of the service. */
  mostCalls?: number | undefined;
  /** The operation may be answered from no earlier read. */
  isFresh?: boolean;
  /** Absent for a request without an Idempotency-Key. */
  once?: WriteRecords | undefined;
  /** The client's Accept-Language. */
  language?: string | undefined;
}

/** Errors that stand beside data instead of in its place. */
export class ExtraErrors {
  readonly list: GraphQLError[] = [];
  readonly #failedReads: GraphQLError[] = [];
  readonly #answer: AnswerLimit;

  constructor(answer: AnswerLimit) {
    this.#answer = answer;
  }

  /** Puts an error beside the field's data, or beside a place below it. Throws if the answer has no room left. */
  add(info: GraphQLResolveInfo, error: Error, below: number | string | readonly (number | string)[] = []): void {
    this.addAt([...responsePathAsArray(info.path), ...[below].flat()], info.fieldNodes, error);
  }

  addAt(path: (number | string)[], nodes: readonly FieldNode[], error: Error): void {
    if (!this.#answer.addError()) throw this.#answer.refusal;
    this.list.push(new GraphQLError(error.message, { nodes, path, originalError: error }));
  }

  /** The same for the read of what the data lacks. Fields below have no value because of it. */
  addFailedRead(info: GraphQLResolveInfo, error: Error, below?: readonly (number | string)[]): void {
    this.add(info, error, below);
    this.#failedReads.push(this.list.at(-1) as GraphQLError);
  }

  /** The error to show for a field. A field without a value because of a failed read has the error of that read. */
  causeOf(error: GraphQLError): GraphQLError {
    if (this.#failedReads.length === 0 || !isNoValue(error)) return error;
    const { nodes, path } = error;
    const read = this.#failedReads.find((read) => read.path?.every((step, index) => step === path?.[index]));
    return read ? new GraphQLError(read.message, { nodes, path, originalError: read.originalError }) : error;
  }
}

/** One GraphQL request. */
export class RequestContext {
  readonly service: Service;
  readonly limits: OperationLimits;
  readonly scope: Scope;
  readonly reader: Reader;
  /** Made anew after each write, so that no answer shows anything older than the write. */
  loaders: Loaders;
  readonly answer: AnswerLimit;
  readonly errors: ExtraErrors;
  /** Absent where neither the client nor OpenTelemetry asks for the upstream calls. */
  readonly trace: UpstreamTrace | undefined;
  readonly once: WriteRecords | undefined;
  readonly language: string | undefined;
  /** The plans of the root fields, from the check before the first call. */
  roots: ReadonlyMap<Field, RootPlan> = new Map();
  /** Milliseconds of performance.now(), before the first read. */
  readonly startedAt = performance.now();

  constructor(service: Service, caller: Caller, options: ContextOptions = {}) {
    const { trace, span, isFresh = false, once, language, mostCalls = Number.POSITIVE_INFINITY } = options;
    const { upstream, limits } = service;
    this.service = service;
    this.trace = trace || span ? new UpstreamTrace(upstream.contract, { trace, span }) : undefined;
    this.once = once;
    this.language = language;
    this.limits = mostCalls < limits.upstreamCalls ? { ...limits, upstreamCalls: mostCalls } : limits;
    const scope = new Scope(service.deadlines, service.memory, this.limits.upstreamCalls);
    this.scope = scope;
    this.answer = new AnswerLimit(limits, (bytes) => scope.hold(bytes));
    this.errors = new ExtraErrors(this.answer);
    this.reader = new Reader(caller, isFresh, { upstream, scope, budget: scope.budget, observer: this.trace });
    this.loaders = new Loaders(this.reader, service.batches, this.answer);
  }

  get caller(): Caller {
    return this.reader.caller;
  }

  /** The client asks for the estimate alone. */
  get isEstimate(): boolean {
    return this.trace?.isEstimate ?? false;
  }

  /** The trace, where the client asked for it. */
  extensions(): { upstream: UpstreamReport } | undefined {
    return this.trace?.isShown ? { upstream: this.trace.report() } : undefined;
  }

  /** Made when the first field of Mutation needs them. Not enumerable, so that `beside` has its own. */
  get writes(): Writes {
    const writes = new Writes(this);
    Object.defineProperty(this, 'writes', { value: writes });
    return writes;
  }

  /** Calls of the operation that the gateway has sent. */
  get calls(): number {
    return this.scope.sent;
  }

  /** The same request for one write, beside others of the request. */
  beside(budget: CallBudget, once: WriteRecords): RequestContext {
    const reader = this.reader.with({ budget });
    const loaders = new Loaders(reader, this.service.batches, this.answer);
    const context: RequestContext = Object.create(RequestContext.prototype);
    return Object.assign(context, this, { once, reader, loaders });
  }

  /** Lets no answer show anything older than now. */
  renewLoaders(): void {
    this.loaders = new Loaders(this.reader, this.service.batches, this.answer);
  }

  /** Call once the answer is sent. */
  end(): void {
    this.scope.end();
  }
}

/** @throws UNAUTHENTICATED without a key, and the error of a token that the service has not accepted. */
export function requireKey({ caller, service, reader: { refusal } }: RequestContext): void {
  if (caller.key === '') throw noKey(service.upstream.contract.data.key.header);
  if (refusal !== undefined) throw fromUpstreamError(refusal);
}

/** Throws errors of the service as the client sees them. */
export async function withCodes<T>(
  run: () => Promise<T>,
  details: Parameters<typeof fromUpstreamError>[1] = {},
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    // `answerOf` decides whether an object that was there is an error.
    throw error instanceof UpstreamError && error.existing ? error : fromUpstreamError(error, details);
  }
}
