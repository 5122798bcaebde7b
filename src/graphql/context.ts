import { GraphQLError, type GraphQLResolveInfo } from 'graphql';
import type { IdempotentWrites } from '../idempotency/idempotency.ts';
import type { Deadlines } from '../lib/deadlines.ts';
import type { Json } from '../lib/json.ts';
import type { Counter } from '../lib/metrics.ts';
import type { Read } from '../loaders/by-id.ts';
import type { CallOrigin } from '../loaders/call-origins.ts';
import type { EntityKindCache } from '../loaders/entity-kind-cache.ts';
import type { CachedReads } from '../loaders/list-pages.ts';
import { type Batches, Loaders } from '../loaders/loaders.ts';
import { type Plan, planOf } from '../loaders/plan.ts';
import { type SavedCall, UpstreamTrace } from '../observability/upstream-trace.ts';
import type { Caller } from '../upstream/caller.ts';
import { CancelScope } from '../upstream/cancel-scope.ts';
import type { RestClient, WriteInput } from '../upstream/client.ts';
import type { EndpointName, ListEndpointName } from '../upstream/endpoints.ts';
import { UpstreamError } from '../upstream/errors.ts';
import type { CallObserver, Waiting } from '../upstream/in-flight-request.ts';
import type { ListPage, Range } from '../upstream/list-page.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { codedError } from './errors/codes.ts';
import { fieldOf } from './executor/run.ts';

/** What outlives a request: the way to the service, and what may be remembered of it across callers. */
export interface Service {
  rest: RestClient;
  upstream: Upstream;
  /** Reads and writes that took no call, because an answer was there or on its way. */
  saved: Counter<'endpoint' | 'by'>;
  batches: Batches;
  cachesLists: boolean;
  entityKinds: EntityKindCache;
  /** `connect`: the service has the known weaknesses of real deployments. */
  dialect: 'spec' | 'connect';
  maxPageSize: number;
  /** REST calls that one GraphQL operation may make. */
  maxUpstreamCalls: number;
  /** About how many objects one operation may ask for. */
  maxCost: number;
  /** Objects that one answer may hold. */
  maxObjects: number;
  /** Clients may know the names in the schema that they do not know yet. */
  introspectionEnabled: boolean;
  /** When operations end, with what they have by then. */
  deadlines: Deadlines;
}

/** An error takes as much of an answer as this many small objects. */
const objectsPerError = 10;

/** What a request asks for beside its operation. */
export interface RequestOptions {
  trace?: boolean;
  isFresh?: boolean;
  once?: IdempotentWrites | undefined;
  language?: string | undefined;
}

/** One GraphQL request. What it has read is seen by nobody else, and gone with it. */
export class Context implements Waiting {
  readonly service: Service;
  readonly caller: Caller;
  /** Errors that stand beside data instead of in its place. */
  readonly extraErrors: GraphQLError[] = [];
  // Apollo gives resolvers a shallow copy of the context: what changes must be held by what both copies share.
  private readonly state: {
    loaders: Loaders;
    calls: number;
    writesToCome: number;
    objects: number;
    /** The field of Mutation that is being carried out, by its name in the answer. They come one after the other. */
    field: string;
    /** Why nobody waits for the answer any more. */
    left: Error | undefined;
    /** Tells writes of it. */
    leaving: AbortController | undefined;
    /** Nothing will do but what the service answers now. */
    isFresh: boolean;
  };
  /** The reads that the request waits for, or has waited for. */
  private readonly scope: CancelScope;
  /** The upstream calls, where the client asked to see them. */
  readonly trace: UpstreamTrace | undefined;
  /** Makes the writes of a request that has an Idempotency-Key. */
  readonly once: IdempotentWrites | undefined;
  /** Milliseconds of performance.now(): before it has read anything. */
  readonly startedAt = performance.now();
  /** What the client accepts, as its header says. */
  readonly language: string | undefined;

  constructor(service: Service, caller: Caller, { trace, isFresh = false, once, language }: RequestOptions = {}) {
    this.service = service;
    this.caller = caller;
    this.trace = trace ? new UpstreamTrace() : undefined;
    this.once = once;
    this.language = language;
    this.state = {
      loaders: this.newLoaders(),
      calls: 0,
      writesToCome: 0,
      objects: 0,
      field: '',
      left: undefined,
      leaving: undefined,
      isFresh,
    };
    this.scope = new CancelScope(service.deadlines);
  }

  get loaders(): Loaders {
    return this.state.loaders;
  }

  /** Answers of earlier requests may serve this one. */
  get usesCache(): boolean {
    return this.service.cachesLists && !this.state.isFresh;
  }

  /** What the operation reads below a field. */
  plan(info: GraphQLResolveInfo): Plan {
    return planOf(fieldOf(info));
  }

  /** Sets calls aside for the writes of the operation: what is read after one of them must not stop those that follow. */
  expectWrites(count: number): void {
    this.state.writesToCome = count;
  }

  /** A write: what was read before it is forgotten, so that nothing older than its answer is ever shown with it. */
  async write(endpoint: EndpointName, input: WriteInput): Promise<Json> {
    const { upstream, rest } = this.service;
    // Refused before it is counted.
    if (input.id !== undefined) rest.pathOf(endpoint, { id: input.id });
    const origin: CallOrigin = { reason: 'write', fields: () => [endpoint] };
    const send = (input: WriteInput) => {
      this.requireTime();
      this.count(origin);
      const write = (observer?: CallObserver) =>
        upstream.write(this.caller, endpoint, {
          ...input,
          onStatus: observer?.onStatus,
          left: this.leaving(),
        });
      return this.trace ? this.trace.around(endpoint, origin, write) : write();
    };
    // A file takes as long as its client needs to send it.
    if (input.file) this.scope.stopClock();
    try {
      const answer = await (this.once
        ? this.writeOnce(this.once, endpoint, input, { origin: origin, send })
        : send(input));
      this.state.loaders = this.newLoaders();
      return answer;
    } finally {
      if (input.file) this.scope.startClock();
    }
  }

  /** From now on nothing is used that was asked for earlier than by this request. */
  readFresh(): void {
    this.state.isFresh = true;
  }

  /** When the first of the reads under way is over, however it ends. */
  async firstAnswer(): Promise<void> {
    await this.scope.first;
  }

  /** A field of Mutation begins. */
  begin(field: string): void {
    this.state.field = field;
  }

  /**
   * The client has gone: reads that nobody else waits for are given up, and nothing more is sent. A write that has been
   * sent is left to its end, for nobody could say what became of it otherwise.
   */
  leave(reason: Error): void {
    this.state.left = reason;
    this.state.leaving?.abort();
    this.scope.cancel(reason);
  }

  /** Throws where nobody will see the answer: to tell of all that is missing in it would take long. */
  requireClient(): void {
    if (this.state.left) throw this.state.left;
  }

  /** The operation has its result, however late. */
  end(): void {
    this.scope.stopClock();
  }

  /** Calls of the service that it has made. */
  get calls(): number {
    return this.state.calls;
  }

  get due(): number {
    return this.scope.due;
  }

  takesRetry(): boolean {
    const hasCall = this.hasCall();
    if (hasCall) this.state.calls += 1;
    return hasCall;
  }

  /** Puts an error beside the field's data, or beside one item of its list. */
  addExtraError(info: GraphQLResolveInfo, error: GraphQLError, index?: number): void {
    const path: (string | number)[] = index === undefined ? [] : [index];
    for (let step: GraphQLResolveInfo['path'] | undefined = info.path; step; step = step.prev) path.unshift(step.key);
    this.extraErrors.push(new GraphQLError(error.message, { nodes: info.fieldNodes, path, originalError: error }));
  }

  /**
   * Counts objects into the answer. References are loaded once but shown wherever they are asked for, so that a short
   * document over people who manage companies who have members stands for more objects than any memory holds.
   * Returns false where there is no room left; the first time an error is put beside.
   */
  hasRoomFor(objects: number, info: GraphQLResolveInfo): boolean {
    const { maxObjects } = this.service;
    const wasFull = this.state.objects > maxObjects;
    this.state.objects += objects;
    if (this.state.objects <= maxObjects) return true;
    if (!wasFull) {
      const message = `The answer holds more than ${maxObjects} objects; what does not fit is null. Ask for fewer rows or levels.`;
      this.addExtraError(info, codedError('QUERY_TOO_COMPLEX', message));
    }
    return false;
  }

  hasRoomForError(info: GraphQLResolveInfo): boolean {
    return this.hasRoomFor(objectsPerError, info);
  }

  private async writeOnce(
    once: IdempotentWrites,
    endpoint: EndpointName,
    input: WriteInput,
    { origin, send }: { origin: CallOrigin; send: (input: WriteInput) => Promise<Json> },
  ): Promise<Json> {
    const { field } = this.state;
    const answer = await once.write(field, input, { send, isOver: () => this.scope.reason !== undefined });
    if (once.replayed.includes(field)) {
      this.state.writesToCome -= 1;
      this.save(endpoint, origin, 'replay', answer);
      await this.service.upstream.replayed(this.caller, endpoint);
    }
    return answer;
  }

  /** What has not been sent by now is not sent any more. */
  private requireTime(): void {
    const { reason } = this.scope;
    if (reason) throw new UpstreamError('UPSTREAM_TIMEOUT', `${reason.message} This write was not sent.`);
  }

  private leaving(): AbortSignal {
    this.state.leaving ??= new AbortController();
    if (this.state.left) this.state.leaving.abort();
    return this.state.leaving.signal;
  }

  private newLoaders(): Loaders {
    const { entityKinds: kinds, upstream } = this.service;
    const service: CachedReads = {
      cached: (endpoint, range, origin) => this.kept(endpoint, range, origin),
      read: (endpoint, read, origin) => this.read(endpoint, read, origin),
      lengthOf: (endpoint) => upstream.lengthOf(this.caller, endpoint),
      guessLength: (endpoint) => upstream.guessLength(endpoint),
    };
    return new Loaders(service, kinds, this.service.batches);
  }

  private kept(endpoint: ListEndpointName, range: Range, origin: CallOrigin): ListPage | undefined {
    const kept = this.state.isFresh ? undefined : this.service.upstream.cachedRange(this.caller, endpoint, range);
    if (kept) this.save(endpoint, origin, 'cache', { results: kept.rows });
    return kept;
  }

  private read(endpoint: EndpointName, { isFresh, ...subject }: Read, origin: CallOrigin): Promise<Json> {
    if (this.scope.reason) throw this.scope.reason;
    const { upstream } = this.service;
    const route = upstream.routeOf(this.caller, endpoint, subject);
    const underWay = isFresh || this.state.isFresh ? undefined : upstream.inFlight(route);
    if (underWay) {
      const answer = this.scope.wait(underWay.join(this));
      this.save(endpoint, origin, 'in flight', answer);
      return answer;
    }
    this.count(origin);
    const start = (observer?: CallObserver) => this.scope.wait(upstream.start(route, this, origin.reason, observer));
    return this.trace ? this.trace.around(endpoint, origin, start) : start();
  }

  private save(endpoint: EndpointName, origin: CallOrigin, by: SavedCall['by'], answer: Json | Promise<Json>): void {
    this.service.saved.inc({ endpoint, by });
    this.trace?.save(endpoint, origin, by, answer);
  }

  /** Counts a call of the service, if there may be one more. */
  private count({ reason }: CallOrigin): void {
    if (reason === 'write') this.state.writesToCome -= 1;
    if (!this.hasCall()) {
      const message = `The operation needs more than ${this.service.maxUpstreamCalls} REST calls; ask for fewer rows or references.`;
      throw codedError('UPSTREAM_BUDGET_EXCEEDED', message);
    }
    this.state.calls += 1;
  }

  private hasCall(): boolean {
    const { calls, writesToCome } = this.state;
    return calls + Math.max(0, writesToCome) < this.service.maxUpstreamCalls;
  }
}
