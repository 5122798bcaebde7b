import { type Caller, Deadlines, FairQueue, type Json, type Learnt, noMemory, UpstreamError } from '@gateway/base';
import type { Contract, EndpointName } from '@gateway/contract';
import { AdaptiveConcurrency } from './adaptive-concurrency.ts';
import { admission } from './admission.ts';
import { BackgroundReads, renewals } from './background-reads.ts';
import { CallCounts } from './call-counts.ts';
import { Callers } from './callers.ts';
import { type CircuitBreakerOptions, Circuits, circuitBreaker } from './circuit-breaker.ts';
import { UpstreamClock } from './clock.ts';
import { CostStatistics, learnCosts } from './cost-statistics.ts';
import { dedupe, type InFlightRead, InFlightReads, type Send } from './dedupe.ts';
import { Dialect } from './dialect.ts';
import { UpstreamEvents } from './events.ts';
import { type OtherProcesses, sendWrites } from './invalidation.ts';
import { Knowledge } from './knowledge.ts';
import { ListCache, type ListCacheOptions, learnLists } from './list-cache.ts';
import type { ListPage, Range } from './list-page.ts';
import { mediaUrls } from './media-urls.ts';
import { ParsedBodyCache } from './parsed-body-cache.ts';
import { learnPauses, RateLimitGate, rateLimit } from './rate-limit.ts';
import type { Dispatch, Interceptor, UpstreamRequest } from './request.ts';
import { type RequestPathOptions, RequestPaths } from './request-path.ts';
import { readBody } from './response.ts';
import { type RetryOptions, RetryPolicy, retry } from './retry.ts';
import type { ServiceCosts } from './service-costs.ts';
import { Transport, type TransportOptions } from './transport.ts';

export interface UpstreamOptions extends Omit<RequestPathOptions & TransportOptions, 'dialect'> {
  dialect: Dialect['configured'];
  contract: Contract;
  /** Base URL of the service; ends with the version segment. */
  url: string;
  /** Base of the URLs of files; by default the origin of `url`. */
  mediaUrl?: string | undefined;
  /** The claims of tokens that make a caller; by default the whole key does. */
  claims?: { caller: readonly string[] };
  /** Connections that one caller may use; by default all. */
  connectionsPerCaller?: number;
  /** Whether calls in flight are bounded by what the service works on. */
  adaptiveConcurrency: boolean;
  /** `readMs`: for all attempts of a read together. `queueMs`: the wait of the first call of an operation. */
  timeouts: TransportOptions['timeouts'] & { readMs: number; queueMs: number };
  retries: RetryOptions;
  circuitBreaker: CircuitBreakerOptions;
  /** `bodies`: the parsed-body cache. */
  cache: { lists: ListCacheOptions; bodies: { maxBytes: number } };
  /** Fixed costs, in place of learnt ones. */
  costs?: ServiceCosts | undefined;
  /** The service's clock in milliseconds since 1970, in place of its `Date` headers. */
  serviceClock?: (() => number) | undefined;
  others?: OtherProcesses;
  /** The part of its time in which this process works, 0 to 1, in place of the measured one. */
  utilization?: (() => number) | undefined;
}

const MiB = 2 ** 20;

/** Options for a process with 1 GiB of memory and a core of its own. */
export const defaultUpstream: Omit<UpstreamOptions, 'url' | 'contract' | 'bodyLimits'> = {
  dialect: 'auto',
  connections: 1_024,
  connectionsPerCaller: 512,
  adaptiveConcurrency: true,
  timeouts: { readMs: 20_000, connectMs: 1_000, writeMs: 15_000, uploadIdleMs: 60_000, queueMs: 5_000 },
  retries: { max: 2, baseMs: 70, capMs: 2_000, share: 0.2 },
  circuitBreaker: { calls: 150, probeIntervalMs: 200, probeWaitMs: 40 },
  cache: { lists: { ttlMs: 30_000, maxLists: 1_000, maxBytes: 64 * MiB }, bodies: { maxBytes: 8 * MiB } },
};

/** The REST service, as all requests of all callers share it. */
export class Upstream {
  readonly contract: Contract;
  readonly events = new UpstreamEvents();
  readonly calls = new CallCounts(this.events);
  readonly clock: UpstreamClock;
  readonly callers: Callers;
  readonly circuits: Circuits;
  readonly queue: FairQueue;
  readonly concurrency: AdaptiveConcurrency | undefined;
  readonly listCache: ListCache;
  readonly knowledge: Knowledge;
  readonly bodies: ParsedBodyCache;
  readonly dialect: Dialect;
  readonly paths: RequestPaths;
  readonly costs: ServiceCosts;
  readonly statistics: CostStatistics;
  /** The URL of a file for clients, from what the service gives for it. */
  readonly mediaUrl: (url: string) => string;
  readonly #reads = new InFlightReads();
  readonly #background = new BackgroundReads();
  readonly #renew = renewals(this.#reads, this.#background, (request) => this.read(request));
  readonly #transport: Transport;
  readonly #sendRead: Send;
  readonly #sendWrite: Send;
  readonly #others: OtherProcesses | undefined;
  readonly #rateLimits = new RateLimitGate();

  constructor(options: UpstreamOptions) {
    const { connections, connectionsPerCaller, timeouts, cache } = options;
    const { origin, pathname } = new URL(options.url);
    this.contract = options.contract;
    this.statistics = new CostStatistics(this.contract, this.calls);
    this.#others = options.others;
    this.clock = new UpstreamClock(options.serviceClock);
    this.callers = new Callers(this.contract, options.claims?.caller ?? [], this.clock, this.events);
    this.dialect = new Dialect(this.contract, options.dialect, this.events);
    const parts = { ...options, dialect: this.dialect };
    this.knowledge = new Knowledge(this.contract);
    const { endpointNames } = this.contract;
    this.circuits = new Circuits(endpointNames, options.circuitBreaker, this.events, this.#background, timeouts.readMs);
    this.queue = new FairQueue({ max: connections, maxPerCaller: connectionsPerCaller });
    this.concurrency = options.adaptiveConcurrency
      ? new AdaptiveConcurrency(connections, options.utilization)
      : undefined;
    this.listCache = new ListCache(this.contract, cache.lists);
    this.paths = new RequestPaths(this.contract, pathname, parts);
    this.mediaUrl = mediaUrls(options.url, options.mediaUrl);
    this.bodies = new ParsedBodyCache(cache.bodies.maxBytes);
    this.#transport = new Transport(origin, parts, this);
    this.costs = options.costs ?? this.statistics;
    const send = compose(
      this.#transport.dispatch,
      readBody(this),
      rateLimit(this.#rateLimits),
      circuitBreaker(this.circuits),
      admission(this.queue, { ...timeouts, connections, concurrency: this.concurrency, background: this.#background }),
    );
    this.#sendRead = dedupe(this.#reads, retry(new RetryPolicy(options.retries), new Deadlines(timeouts.readMs), send));
    this.#sendWrite = sendWrites(this, send, options.others);
    this.events.on('callerRefused', ({ tokenDigest }) => {
      this.refuse(tokenDigest);
      options.others?.refuse(tokenDigest);
    });
    learnPauses(this.#rateLimits, this.events, options.others);
    learnCosts(this.statistics, this.events);
    learnLists(this.listCache, this.knowledge, this.#reads, this.events);
  }

  /**
   * Sends a read, or joins an equal one. Resolves with the documented body.
   * @throws UpstreamError for every other outcome; the signal's reason.
   */
  read(request: UpstreamRequest): Promise<Json> {
    return new Promise((resolve, reject) => {
      this.#sendRead(request, (error, response) => {
        if (!response) reject(error);
        else if (request.signal.hold(parsedSize * response.body.bytes.length)) resolve(response.data as Json);
        else reject(new UpstreamError('OVERLOADED', noMemory, { retryAfter: 1 }));
      });
    });
  }

  /**
   * Sends a write once. Resolves with the documented body.
   * @throws UpstreamError for every other outcome; the file's own error where its source fails; the signal's reason.
   */
  write(request: UpstreamRequest): Promise<{ status: number; data: Json }> {
    return new Promise((resolve, reject) => {
      this.#sendWrite(request, (error, response) => {
        if (response) resolve({ status: response.status, data: response.data as Json });
        else reject(error);
      });
    });
  }

  /** The read in flight that `read` would join. */
  inFlight(request: UpstreamRequest): InFlightRead | undefined {
    return this.#reads.joinable(request);
  }

  /**
   * A range of a cached list; none for an expired token. The gateway reads its stale pages anew meanwhile. `by`: the budget of the
   * operation.
   */
  cachedRange(caller: Caller, endpoint: EndpointName, range: Range, by: object): ListPage | undefined {
    if (!this.listCache.caches(endpoint) || this.callers.hasExpired(caller)) return undefined;
    const cached = this.listCache.page(caller, endpoint, range);
    for (const { offset, limit } of cached?.stale ?? []) {
      const subject = { query: { limit, offset } };
      this.#renew({ caller, endpoint, path: this.paths.of(endpoint, subject), subject }, by);
    }
    return cached?.page;
  }

  /**
   * Reads that began before a write are old: those of a key, or of all where the digest is empty. Without an endpoint, the
   * write may have changed any list. `isUnknown`: it may come later.
   */
  invalidate(keyDigest: string, endpoint?: EndpointName, isUnknown = false): void {
    this.#reads.closeAll(keyDigest);
    // Another release may have endpoints that this one lacks.
    const known = endpoint !== undefined && this.contract.hasEndpoint(endpoint) ? endpoint : undefined;
    this.listCache.invalidate(keyDigest, known, isUnknown);
    this.knowledge.invalidate(keyDigest);
    this.events.emit('invalidate', keyDigest, known);
  }

  /** The service no longer accepts the token. */
  refuse(tokenDigest: string): void {
    this.callers.refuse(tokenDigest);
    this.invalidate(tokenDigest);
  }

  /** Calls `invalidate` here and in the other processes. Resolves when they have ended that, or after a bounded wait. */
  invalidateEverywhere(keyDigest: string, endpoint: EndpointName, isUnknown = false): Promise<void> | undefined {
    this.invalidate(keyDigest, endpoint, isUnknown);
    return this.#others?.broadcast(keyDigest, endpoint, isUnknown);
  }

  /** Another process may have written, for any caller. */
  invalidateAll(): void {
    this.invalidate('');
  }

  /** Stops the calls of a caller whom the service has asked to slow down in another process. */
  pause(keyDigest: string, seconds: number): void {
    this.#rateLimits.close(keyDigest, seconds);
  }

  /** The knowledge of this process, for one that begins. */
  learnt(): Learnt {
    return { pauses: this.#rateLimits.pauses(), ...this.statistics.learnt() };
  }

  /** Takes the knowledge of another process, where this one has learnt nothing yet. */
  adopt({ pauses, ...costs }: Learnt): void {
    for (const [keyDigest, seconds] of pauses) this.pause(keyDigest, seconds);
    this.statistics.adopt(costs);
  }

  /** Ends when the writes in flight have; reads that no client waits for are aborted. */
  async close(): Promise<void> {
    this.#background.abort(new Error('The gateway is closing.'));
    await this.#transport.close();
  }
}

/** Puts interceptors before the transport; the first one gets the request first. */
function compose(transport: Dispatch, ...interceptors: Interceptor[]): Dispatch {
  return interceptors.reduceRight((next, interceptor) => interceptor(next), transport);
}

/** Bytes of memory for each byte of JSON that is parsed. */
const parsedSize = 4;
