import { type Caller, type Json, UpstreamError } from '@gateway/base';
import type { Contract, DialectName, DialectTraits, EndpointName, ListEndpointName } from '@gateway/contract';
import {
  type CallBudget,
  type CallerKnowledge,
  type CallObserver,
  type CallOrigin,
  type ListPage,
  newRequest,
  type Range,
  type ReadScope,
  type Scope,
  type ServiceCosts,
  type Subject,
  type Upstream,
} from '@gateway/upstream';
import type { Choice } from '../plan/planner.ts';

/** Sees the calls of an operation, and the reads and writes that cost none. */
export interface ReadObserver extends CallObserver {
  save(saved: SavedRead, answer: Json | Promise<Json>): void;
  /** The way to a batch or a range. `endpoint`: the list, or the GET where there is no list. */
  choose(endpoint: EndpointName, choice: Choice, origin: CallOrigin): void;
  /** The calls that were sent. */
  readonly calls: readonly (CallOrigin & { endpoint: EndpointName })[];
}

export interface SavedRead {
  endpoint: EndpointName;
  id?: string | undefined;
  query?: Subject['query'];
  origin: CallOrigin;
  /**
   * `cache`: from the list cache. `in flight`: joined an equal read of the caller. `replay`: an earlier request with the
   * same Idempotency-Key made the write.
   */
  by: 'cache' | 'in flight' | 'replay';
  /** The trace context of the read in flight that the operation has joined. Holds nothing of the other operation. */
  joined?: string | undefined;
}

interface Read extends Subject {
  /** The service itself answers, not a cache. */
  isFresh?: boolean;
  /** By default all of the operation's time. */
  scope?: ReadScope | undefined;
}

interface ReaderParts {
  upstream: Upstream;
  scope: Scope;
  /** That of the scope, or of a chain of writes within it. */
  budget: CallBudget;
  observer: ReadObserver | undefined;
}

/** Share of the time that is left for rows of lists. The objects below the rows need the rest. */
const shareOfLists = 0.75;

/** The service as the caller of one request reads it, within the scope and the calls of the operation. */
export class Reader {
  /** Another one once the service has accepted the token of an unknown caller. */
  caller: Caller;
  /** The reason why the operation neither reads nor writes. */
  refusal: unknown;
  /** The gateway may answer from no earlier read. */
  isFresh: boolean;
  /** The error of an operation that has not found the dialect. It makes no write, because no guard has seen the input. */
  noDialect: unknown;
  readonly contract: Contract;
  readonly scope: Scope;
  readonly budget: CallBudget;
  readonly costs: ServiceCosts;
  /** Sees the origins of calls. */
  readonly observer: ReadObserver | undefined;
  readonly #parts: ReaderParts;
  #first: Promise<Json> | undefined;

  constructor(caller: Caller, isFresh: boolean, parts: ReaderParts) {
    this.caller = caller;
    this.isFresh = isFresh;
    this.contract = parts.upstream.contract;
    this.scope = parts.scope;
    this.budget = parts.budget;
    this.costs = parts.upstream.costs;
    this.observer = parts.observer;
    this.#parts = parts;
  }

  /** The same reads with calls of their own, or without caches. */
  with({ budget = this.budget, isFresh = this.isFresh }: Partial<Pick<Reader, 'budget' | 'isFresh'>>): Reader {
    const reader = new Reader(this.caller, isFresh, { ...this.#parts, budget });
    reader.noDialect = this.noDialect;
    return reader;
  }

  /** The knowledge of the caller. Ask before the reads that it learns from, so that it learns nothing more after a write. */
  knowledge(): CallerKnowledge {
    const known = this.#parts.upstream.knowledge.of(this.caller);
    return this.isFresh ? known.withoutMisses() : known;
  }

  /** Runs reads that leave time of the operation for the objects below their rows. */
  readInTime<T>(reads: (scope: ReadScope) => Promise<T>): Promise<T> {
    return this.scope.within(shareOfLists, reads);
  }

  /** Answers of earlier requests may serve this one. */
  get usesCache(): boolean {
    return !this.isFresh && this.#parts.upstream.listCache.isEnabled;
  }

  /** Resolves when the first read has ended, in any way. */
  async firstEnd(): Promise<void> {
    await this.#first?.catch(() => {});
  }

  /** Makes a call, or joins an equal one in flight. */
  read(endpoint: EndpointName, read: Read, origin: CallOrigin, caller = this.caller): Promise<Json> {
    const { budget, observer } = this;
    const { upstream } = this.#parts;
    const { isFresh, scope = this.scope, ...subject } = read;
    if (scope.reason) throw scope.reason;
    if (upstream.paths.needsDialect(endpoint)) {
      return this.dialect(origin.fields).then(() => this.read(endpoint, read, origin, caller));
    }
    const lacking = upstream.paths.whyLacking(endpoint);
    if (lacking) return Promise.reject(lacking);
    const request = newRequest({
      caller,
      endpoint,
      path: upstream.paths.of(endpoint, subject),
      subject,
      origin,
      signal: scope,
      budget,
      isFresh: isFresh || this.isFresh,
      observer,
    });
    const joined = upstream.inFlight(request);
    if (!joined) budget.take();
    const answer = upstream.read(request);
    if (joined) this.save({ endpoint, ...subject, origin, by: 'in flight', joined: joined.traceparent }, answer);
    this.#first ??= answer;
    return answer;
  }

  /** The service may have the endpoint. */
  mayHave(endpoint: EndpointName): boolean {
    return this.#parts.upstream.paths.whyLacking(endpoint) === undefined;
  }

  /** The dialect that the gateway speaks, or supposes. */
  get dialectName(): DialectName {
    return this.#parts.upstream.dialect.traits.name;
  }

  /**
   * The dialect of the service. Where neither the settings nor an answer has shown it, the cheapest read does.
   * @throws UpstreamError from that read, where no answer shows the dialect.
   */
  async dialect(fields: () => string[]): Promise<DialectTraits> {
    const { dialect } = this.#parts.upstream;
    // Each field of a mutation asks. One failed read is enough.
    if (!dialect.known && this.noDialect) throw this.noDialect;
    try {
      return await dialect.find(() => this.#cheapestRead({ reason: 'dialect', fields }));
    } catch (error) {
      this.noDialect ??= error;
      throw error;
    }
  }

  /**
   * Asks the service whether it accepts the token of an unknown caller, by the cheapest read. The first operation with
   * claims also asks whether that read refuses a wrong signature. The operation goes on as the caller of the token's
   * claims. Where the service has other troubles, a query goes on without them, and a mutation does not.
   */
  async identify({ isMutation }: { isMutation: boolean }, fields: () => string[]): Promise<void> {
    const { budget, upstream } = this.#parts;
    const { callers } = upstream;
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
    } catch (error) {
      const code = error instanceof UpstreamError ? error.code : undefined;
      if (code === 'UNAUTHENTICATED') this.refusal = error;
      else if (isMutation && (hasClaims || code !== 'FORBIDDEN')) this.refusal = ofAnotherCall(error, notChecked);
      // Writes of the caller make none of these reads old.
      else this.isFresh = true;
    }
  }

  #cheapestRead(origin: CallOrigin, caller = this.caller): Promise<Json> {
    return this.read(this.contract.keyProof.endpoint, this.contract.keyProof.subject, origin, caller);
  }

  /** A range of a whole list from the list cache. */
  cached(endpoint: ListEndpointName, range: Range, origin: CallOrigin): ListPage | undefined {
    if (this.isFresh) return undefined;
    const page = this.#parts.upstream.cachedRange(this.caller, endpoint, range, this.budget);
    if (page) this.save({ endpoint, query: { ...range }, origin, by: 'cache' }, { results: page.rows });
    return page;
  }

  /** Counts a read or a write without a call. */
  save(saved: SavedRead, answer: Json | Promise<Json>): void {
    this.#parts.upstream.calls.saved.inc({ endpoint: saved.endpoint, by: saved.by });
    this.observer?.save(saved, answer);
  }
}

/** The parts of a reader that lists need. */
export interface ListReads
  extends Pick<Reader, 'contract' | 'costs' | 'observer' | 'readInTime' | 'read' | 'dialect' | 'cached'> {
  readonly budget: Pick<CallBudget, 'left'>;
  readonly scope: ReadScope;
}

const notChecked = 'Nothing else was sent, because the service has not shown yet whether it accepts this token.';

/** The error of a call for a write that waited for it. Has no status, because the write has no answer. */
export function ofAnotherCall(error: unknown, consequence: string): unknown {
  if (!(error instanceof UpstreamError)) return error;
  return new UpstreamError(error.code, `${error.message} ${consequence}`, { retryAfter: error.retryAfter });
}
