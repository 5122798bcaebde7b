import {
  type AnswerBounds,
  AnswerLimit,
  type Caller,
  codedError,
  type Deadlines,
  type Field,
  type MemoryShare,
} from '@gateway/base';
import type { Idempotency, IdempotentWrites, OperationSpan } from '@gateway/graphql-serve';
import type { GraphQLError } from 'graphql';
import type { Config } from '../../../src/config.ts';
import { type CallBudget, noMemory, Scope } from '../call/scope.ts';
import type { Upstream } from '../call/upstream.ts';
import type { Batches } from '../load/batch.ts';
import { Loaders } from '../load/loaders.ts';
import { Reader } from '../load/reader.ts';
import type { RootPlan } from '../plan/root-plan.ts';
import type { App } from './app.ts';
import { ExtraErrors } from './extra-errors.ts';
import { UpstreamTrace } from './upstream-trace.ts';
import { Writes } from './writes.ts';

/** The parts of a gateway that all requests share. */
export interface Service {
  app: App;
  upstream: Upstream;
  batches: Batches;
  /** The records of writes, for those that have a key of their own. */
  idempotency: Idempotency;
  /** The settings of the app's own code, which alone knows their type. */
  settings: object;
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
  readonly scope: Scope;
  readonly reader: Reader;
  /** Made anew after each write, so that no answer shows anything older than the write. */
  loaders: Loaders;
  readonly answer: AnswerLimit;
  readonly errors: ExtraErrors;
  /** Absent where neither the client nor OpenTelemetry asks for the upstream calls. */
  readonly trace: UpstreamTrace | undefined;
  readonly once: IdempotentWrites | undefined;
  readonly language: string | undefined;
  /** The plans of the root fields, from the check before the first call. */
  roots: ReadonlyMap<Field, RootPlan> = new Map();
  /** Milliseconds of performance.now(), before the first read. */
  readonly startedAt = performance.now();

  constructor(service: Service, caller: Caller, { trace, span, isFresh = false, once, language }: RequestOptions = {}) {
    this.service = service;
    this.trace =
      trace || span
        ? new UpstreamTrace({
            contract: service.upstream.contract,
            isShown: trace !== undefined,
            isEstimate: trace === 'estimate',
            span,
          })
        : undefined;
    this.once = once;
    this.language = language;
    this.scope = new Scope(service.deadlines, service.memory, service.limits.upstreamCalls);
    this.answer = new AnswerLimit(answerBounds(service.limits, this.scope));
    this.errors = new ExtraErrors(this.answer);
    this.reader = new Reader(caller, isFresh, {
      upstream: service.upstream,
      scope: this.scope,
      budget: this.scope.budget,
      observer: this.trace,
    });
    this.loaders = new Loaders(this.reader, service.batches);
  }

  get caller(): Caller {
    return this.reader.caller;
  }

  /** Made when the first field of Mutation needs them. Not enumerable, so that `beside` has its own. */
  get writes(): Writes {
    const writes = new Writes(this);
    Object.defineProperty(this, 'writes', { value: writes });
    return writes;
  }

  /** Calls that the operation has made. */
  get calls(): number {
    return this.scope.budget.used;
  }

  /** The same request for one write, beside others of the request. */
  beside(budget: CallBudget, once: IdempotentWrites): RequestContext {
    const reader = this.reader.with({ budget });
    const loaders = new Loaders(reader, this.service.batches);
    const context: RequestContext = Object.create(RequestContext.prototype);
    return Object.assign(context, this, { once, reader, loaders });
  }

  /** Lets no answer show anything older than now. */
  renewLoaders(): void {
    this.loaders = new Loaders(this.reader, this.service.batches);
  }

  /** Call once the answer is sent. */
  end(): void {
    this.scope.end();
  }
}

/** The bounds of one answer, which takes its memory from that of its operation. */
function answerBounds({ objects, answerBytes }: Service['limits'], scope: Scope): AnswerBounds {
  return {
    objects,
    bytes: answerBytes,
    // The objects take as much as their JSON.
    hold: (characters) => scope.hold(2 * characters),
    refuse(what) {
      if (what === 'memory') return codedError('OVERLOADED', noMemory, { retry_after: 1 });
      const reason =
        what === 'objects' ? `more than ${objects} objects (limits.operations.objects)` : tooLong(answerBytes);
      return tooComplex(`The answer has ${reason}; what does not fit is null.`);
    },
  };
}

/** The error in place of an answer that turns out too long when it is sent. */
export function answerTooLong(answerBytes: number): GraphQLError {
  return tooComplex(`The answer has ${tooLong(answerBytes)}.`);
}

const tooLong = (answerBytes: number) => `more than ${answerBytes} bytes (MAX_ANSWER_BYTES)`;

function tooComplex(message: string): GraphQLError {
  return codedError('QUERY_TOO_COMPLEX', `${message} Ask for fewer rows or levels.`);
}
