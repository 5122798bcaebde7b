import type { Config } from '../config.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { IdempotentWrites } from '../idempotency/idempotent-writes.ts';
import type { Deadlines } from '../lib/deadlines.ts';
import { HeldMemory } from '../lib/held-memory.ts';
import type { MemoryShare } from '../lib/memory-budget.ts';
import type { Batches } from '../loaders/batch.ts';
import type { Loaders } from '../loaders/loaders.ts';
import type { OperationSpan } from '../observability/operation-span.ts';
import { UpstreamTrace } from '../observability/upstream-trace.ts';
import type { Caller } from '../upstream/caller.ts';
import { CancelScope } from '../upstream/cancel-scope.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { ExtraErrors } from './errors/extra-errors.ts';
import { AnswerLimit } from './executor/answer-limit.ts';
import { answerBounds } from './limits/answer-bounds.ts';
import { CallBudget } from './limits/call-budget.ts';
import { RequestCalls } from './request-calls.ts';

/** The parts of a gateway that all requests share. */
export interface Service {
  upstream: Upstream;
  batches: Batches;
  /** The records of writes, for those that have a key of their own. */
  idempotency: Idempotency;
  /** The claims of a token that name the caller's own objects. */
  claims: Pick<Config['upstream']['claims'], 'me' | 'company'>;
  /** The treatment of an option whose premium no answer shows. */
  unknownOptions: Config['upstream']['unknownOptions'];
  limits: Pick<Config['limits']['operations'], 'pageSize' | 'upstreamCalls' | 'cost' | 'objects' | 'answerBytes'>;
  /** The memory of running operations: the answers that they have read, and those that they make. */
  memory: MemoryShare;
  /** The time of operations. */
  deadlines: Deadlines;
  /** Clients may ask for names of the schema that they do not know. */
  introspectionEnabled: boolean;
}

/** The headers of a request that change how its operation runs. */
export interface RequestOptions {
  trace?: 'true' | 'estimate' | undefined;
  /** Gets the calls of the operation. */
  span?: OperationSpan | undefined;
  /** The gateway may answer from no earlier read. */
  isFresh?: boolean;
  /** Absent for a request without an Idempotency-Key. */
  once?: IdempotentWrites | undefined;
  /** The client's Accept-Language. */
  language?: string | undefined;
}

/** One GraphQL request. */
export class RequestContext {
  readonly service: Service;
  readonly scope: CancelScope;
  readonly budget: CallBudget;
  readonly answer: AnswerLimit;
  readonly errors: ExtraErrors;
  readonly calls: RequestCalls;
  /** Absent where neither the client nor OpenTelemetry asks for the upstream calls. */
  readonly trace: UpstreamTrace | undefined;
  readonly once: IdempotentWrites | undefined;
  readonly language: string | undefined;
  /** Milliseconds of performance.now(), before the first read. */
  readonly startedAt = performance.now();
  readonly #memory: HeldMemory;

  constructor(service: Service, caller: Caller, { trace, span, isFresh = false, once, language }: RequestOptions = {}) {
    this.service = service;
    this.trace =
      trace || span
        ? new UpstreamTrace({ isShown: trace !== undefined, isEstimate: trace === 'estimate', span })
        : undefined;
    this.once = once;
    this.language = language;
    this.#memory = new HeldMemory(service.memory);
    this.scope = new CancelScope(service.deadlines, this.#memory);
    this.budget = new CallBudget(service.limits.upstreamCalls);
    this.answer = new AnswerLimit(answerBounds(service.limits, this.#memory));
    this.errors = new ExtraErrors(this.answer);
    this.calls = new RequestCalls(this, caller, isFresh);
  }

  get caller(): Caller {
    return this.calls.caller;
  }

  /** The same request for one write, beside others of the request. */
  beside(parts: Pick<RequestContext, 'budget' | 'once'>): RequestContext {
    const context: RequestContext = Object.assign(Object.create(RequestContext.prototype), this, parts);
    return Object.assign(context, { calls: this.calls.beside(context) });
  }

  get loaders(): Loaders {
    return this.calls.loaders;
  }

  /** Call once the answer is sent. */
  end(): void {
    this.scope.stopClock();
    this.#memory.release();
  }
}
