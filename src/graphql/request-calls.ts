import type { Json } from '../lib/json.ts';
import { Loaders } from '../loaders/loaders.ts';
import type { Choice } from '../loaders/planner.ts';
import { isRow } from '../loaders/references.ts';
import type { Read, ServiceReads } from '../loaders/service-reads.ts';
import type { SavedCall } from '../observability/upstream-report.ts';
import type { Caller } from '../upstream/caller.ts';
import type { ReadScope } from '../upstream/cancel-scope.ts';
import type { DialectName } from '../upstream/dialect.ts';
import { type EndpointName, endpoints, type ListEndpointName, tokenRead } from '../upstream/endpoints.ts';
import { UpstreamError, writeNotSent } from '../upstream/errors.ts';
import type { CallerKnowledge } from '../upstream/knowledge.ts';
import type { ListPage, Range } from '../upstream/list-page.ts';
import type { CallOrigin } from '../upstream/request.ts';
import { UpstreamRequest, type WriteInput } from '../upstream/request.ts';
import type { ServiceCosts } from '../upstream/service-costs.ts';
import type { RequestContext } from './context.ts';

type WriteContent = Pick<WriteInput, 'body' | 'file'>;

/** The parts of a request that its calls need. */
type Request = Pick<RequestContext, 'service' | 'scope' | 'budget' | 'trace' | 'once'>;

/** Share of the time that is left for rows of lists. The objects below the rows need the rest. */
const shareOfLists = 0.75;

/** The reads and writes of one request, as its caller, within its time and its call budget. */
export class RequestCalls implements ServiceReads {
  /** Made anew after each write, so that no answer shows anything older than the write. */
  loaders: Loaders;
  /** Another one once the service has accepted the token of an unknown caller. */
  caller: Caller;
  /** The reason why the operation neither reads nor writes. */
  refusal: unknown;
  /** The gateway may answer from no earlier read. */
  isFresh: boolean;
  /** A write is on its way, or was. */
  hasSent = false;
  /** The name of the running Mutation field in the answer. */
  field = '';
  readonly #request: Request;
  #first: Promise<Json> | undefined;
  /** The error of an operation that has not found the dialect. It makes no write, because no guard has seen the input. */
  #noDialect: unknown;

  constructor(request: Request, caller: Caller, isFresh: boolean) {
    this.#request = request;
    this.caller = caller;
    this.isFresh = isFresh;
    this.loaders = this.#newLoaders();
  }

  /** Other calls of this request, beside which they run. `request`: their budget and Idempotency-Key. */
  beside(request: Request): RequestCalls {
    const calls = new RequestCalls(request, this.caller, this.isFresh);
    calls.#noDialect = this.#noDialect;
    return calls;
  }

  /** Lets no answer show anything older than now. */
  renewLoaders(): void {
    this.loaders = this.#newLoaders();
  }

  get costs(): ServiceCosts {
    return this.#request.service.upstream.costs;
  }

  knowledge(): CallerKnowledge {
    const known = this.#request.service.upstream.knowledge.of(this.caller);
    return this.isFresh ? known.withoutMisses() : known;
  }

  get callsLeft(): number {
    return this.#request.budget.left;
  }

  get scope(): ReadScope {
    return this.#request.scope;
  }

  readInTime<T>(reads: (scope: ReadScope) => Promise<T>): Promise<T> {
    return this.#request.scope.within(shareOfLists, reads);
  }

  /** Answers of earlier requests may serve this one. */
  get usesCache(): boolean {
    return !this.isFresh && this.#request.service.upstream.listCache.isEnabled;
  }

  /** Resolves when the first read has ended, in any way. */
  async firstEnd(): Promise<void> {
    await this.#first?.catch(() => {});
  }

  read(endpoint: EndpointName, read: Read, origin: CallOrigin, caller = this.caller): Promise<Json> {
    const { service, budget, trace } = this.#request;
    const { isFresh, scope = this.scope, ...subject } = read;
    if (scope.reason) throw scope.reason;
    const { upstream } = service;
    if (upstream.paths.needsDialect(endpoint)) {
      return this.dialect(origin.fields).then(() => this.read(endpoint, read, origin, caller));
    }
    const lacking = upstream.knowledge.endpoints.whyLacking(endpoint);
    if (lacking) return Promise.reject(lacking);
    const request = new UpstreamRequest({
      caller,
      endpoint,
      path: upstream.paths.of(endpoint, subject),
      subject,
      origin,
      signal: scope,
      budget,
      isFresh: isFresh || this.isFresh,
      observer: trace,
    });
    const joined = upstream.inFlight(request);
    if (!joined) budget.take();
    const answer = upstream.read(request);
    const saved = joined && this.#saved(endpoint, 'in flight');
    saved?.save({ endpoint, ...subject, origin, by: 'in flight', joined: joined?.traceparent }, answer);
    this.#first ??= answer;
    return answer;
  }

  /**
   * The dialect of the service. Where neither the settings nor an answer has shown it, the cheapest read does.
   * @throws UpstreamError from that read, where no answer shows the dialect.
   */
  async dialect(fields: () => string[]): Promise<DialectName> {
    const { dialect } = this.#request.service.upstream;
    // Each field of a mutation asks. One failed read is enough.
    if (!dialect.known && this.#noDialect) throw this.#noDialect;
    try {
      return await dialect.find(() => this.#cheapestRead({ reason: 'dialect', fields }));
    } catch (error) {
      this.#noDialect ??= error;
      throw error;
    }
  }

  /**
   * Asks the service whether it accepts the token of an unknown caller, by the cheapest read. The first operation with
   * claims also asks whether that read refuses a wrong signature. The operation goes on as the caller of the token's
   * claims. Where the service has other troubles, a query goes on without them, and a mutation does not.
   */
  async identify({ isMutation }: { isMutation: boolean }, fields: () => string[]): Promise<void> {
    const { budget, service } = this.#request;
    const { callers } = service.upstream;
    const hasClaims = callers.hasClaims(this.caller);
    // Nobody shares a caller with an opaque key. The check keeps made-up ones out of the store of idempotency keys.
    if (!hasClaims && !isMutation) return;
    // An operation that fits the limit must fit it under a new token too.
    budget.addCall();
    try {
      const origin = { reason: 'token', fields } as const;
      await this.#cheapestRead(origin);
      if (hasClaims) {
        const forged = callers.forged(this.caller);
        await callers.proof.find(() => {
          budget.addCall();
          return this.#cheapestRead(origin, forged);
        });
      }
      this.caller = callers.accepted(this.caller);
      this.loaders = this.#newLoaders();
    } catch (error) {
      const code = error instanceof UpstreamError ? error.code : undefined;
      if (code === 'UNAUTHENTICATED') this.refusal = error;
      else if (isMutation && (hasClaims || code !== 'FORBIDDEN')) this.refusal = ofAnotherCall(error, notChecked);
      // Writes of the caller make none of these reads old.
      else this.isFresh = true;
    }
  }

  #cheapestRead(origin: CallOrigin, caller = this.caller): Promise<Json> {
    return this.read(tokenRead.endpoint, tokenRead.subject, origin, caller);
  }

  cached(endpoint: ListEndpointName, range: Range, origin: CallOrigin): ListPage | undefined {
    if (this.isFresh) return undefined;
    const { service } = this.#request;
    const page = service.upstream.cachedRange(this.caller, endpoint, range);
    const saved = page && this.#saved(endpoint, 'cache');
    saved?.save({ endpoint, query: { ...range }, origin, by: 'cache' }, { results: page?.rows });
    return page;
  }

  choose(endpoint: EndpointName, choice: Choice, origin: CallOrigin): void {
    this.#request.trace?.choose(endpoint, choice, origin);
  }

  /**
   * Returns a function that makes a write, or replays its answer under the request's Idempotency-Key.
   * @throws UpstreamError NOT_FOUND for an id that the service cannot have.
   */
  prepareWrite(endpoint: EndpointName, subject: Pick<WriteInput, 'id'>): (content: WriteContent) => Promise<Json> {
    const path = this.#request.service.upstream.paths.of(endpoint, subject);
    return (content) => this.#write(endpoint, path, { ...subject, ...content });
  }

  /** The answer of the Mutation field is recorded under the request's Idempotency-Key, so that nothing will be sent. */
  async isRecorded(): Promise<boolean> {
    const { once, scope } = this.#request;
    return (await once?.isRecorded(this.field, () => scope.reason !== undefined)) ?? false;
  }

  async #write(endpoint: EndpointName, path: string, input: WriteInput): Promise<Json> {
    const { service, scope, budget, once } = this.#request;
    const { caller, field } = this;
    const origin: CallOrigin = { reason: 'write', fields: () => [endpoint] };
    const send = (input: WriteInput) => this.#send(endpoint, path, input, origin);
    const isOver = () => scope.reason !== undefined;
    const invalidate = () => service.upstream.invalidateEverywhere(caller.keyDigest, endpoint);
    // A file takes as long as its client needs to send it.
    if (input.file) scope.stopClock();
    try {
      const answer = await (once ? once.write(field, input, { send, isOver, invalidate }) : send(input));
      if (once?.replayed.includes(field)) {
        budget.releaseWrite();
        this.#saved(endpoint, 'replay')?.save({ endpoint, id: input.id, origin, by: 'replay' }, answer);
      }
      this.renewLoaders();
      return answer;
    } finally {
      if (input.file) scope.startClock();
    }
  }

  async #send(endpoint: EndpointName, path: string, input: WriteInput, origin: CallOrigin): Promise<Json> {
    const { service, scope, budget, trace } = this.#request;
    const { caller } = this;
    if (!service.upstream.dialect.known) await this.dialect(origin.fields).catch(() => {});
    if (this.#noDialect) throw ofAnotherCall(this.#noDialect, noDialect);
    if (scope.reason) throw writeNotSent(scope.reason);
    budget.takeWrite();
    const request = new UpstreamRequest({
      caller,
      endpoint,
      path,
      subject: input,
      origin,
      signal: scope,
      budget,
      write: input,
      observer: trace,
    });
    this.hasSent = true;
    const { data: answer, status } = await service.upstream.write(request);
    const { creates, kind } = endpoints[endpoint];
    if (creates && status === 200 && isRow(answer)) {
      const message = `A ${kind} like this exists already (\`reference\` names it). The service made none, and changed nothing.`;
      throw new UpstreamError('CONFLICT', message, { status, existing: answer });
    }
    return answer;
  }

  /** Counts a read or write without a call. Returns the trace that notes it. */
  #saved(endpoint: EndpointName, by: SavedCall['by']): RequestContext['trace'] {
    const { service, trace } = this.#request;
    service.upstream.calls.saved.inc({ endpoint, by });
    return trace;
  }

  #newLoaders(): Loaders {
    return new Loaders(this, this.#request.service.batches);
  }
}

const noDialect = 'This write was not sent.';
const notChecked = 'Nothing else was sent, because the service has not shown yet whether it accepts this token.';

/** The error of a call for a write that waited for it. Has no status, because the write has no answer. */
function ofAnotherCall(error: unknown, consequence: string): unknown {
  if (!(error instanceof UpstreamError)) return error;
  return new UpstreamError(error.code, `${error.message} ${consequence}`, { retryAfter: error.retryAfter });
}
