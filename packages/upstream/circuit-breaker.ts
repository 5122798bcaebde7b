import type { EndpointName } from '@gateway/contract';
import type { BackgroundReads } from './background-reads.ts';
import { NoAnswerError, NotSentError } from './errors.ts';
import type { UpstreamEvents } from './events.ts';
import { type Abortable, Call, type Dispatch, type Done, type Interceptor, nothingToAbort } from './request.ts';

/**
 * Keeps calls from an endpoint that answers none of them. Now and then the gateway makes a read as a probe. Reads that come
 * meanwhile wait briefly for its outcome: the first client after an outage sees no error. A write is its own probe, so that
 * the gateway sends no write that no client asked for.
 */
export function circuitBreaker(circuits: Circuits): Interceptor {
  return (next) => (call, done) => {
    const { caller, endpoint, write } = call.request;
    const circuit = circuits.of(endpoint);
    if (!circuit.isOpenTo(caller.keyDigest)) return send(next, circuit, call, done);
    const isProbe = circuit.takeProbe();
    if (write && isProbe) return send(next, circuit, call, done, true);
    if (write || !(isProbe || circuit.isHolding)) {
      done(refusal(), undefined);
      return nothingToAbort;
    }
    let current = circuit.hold((error) => {
      if (error === undefined) current = send(next, circuit, call, done);
      else done(error, undefined);
    });
    if (isProbe) circuits.probe((probe, ended) => send(next, circuit, probe, ended, true), call);
    return { abort: (reason) => current.abort(reason) };
  };
}

function send(next: Dispatch, circuit: Circuit, call: Call, done: Done, isProbe = false): Abortable {
  const { answers } = circuit;
  return next(call, (error, response) => {
    if (isProbe) circuit.endProbe();
    const { keyDigest } = call.request.caller;
    if (response && isServing(response.status)) circuit.recordAnswer();
    else if (response) circuit.recordFailure(keyDigest, answers, response.status);
    else if (error instanceof NoAnswerError) circuit.recordFailure(keyDigest, answers, error);
    if (isProbe) circuit.refuseHeld();
    done(error, response);
  });
}

export interface CircuitBreakerOptions {
  /** The circuit opens after this number of failed calls without an answer in between; 0: never. */
  calls: number;
  /** From one probe to the next. */
  probeIntervalMs: number;
  /** The longest wait of a read for a probe. */
  probeWaitMs: number;
}

/** The circuits of all endpoints. One answer of an endpoint whose circuit is open closes them all. */
export class Circuits {
  readonly options: CircuitBreakerOptions;
  readonly events: UpstreamEvents;
  /** Those of all endpoints. */
  readonly failures: FailureRun;
  readonly #byEndpoint: ReadonlyMap<EndpointName, Circuit>;
  readonly #probeTimeoutMs: number;
  readonly #background: BackgroundReads;

  constructor(
    names: readonly EndpointName[],
    options: CircuitBreakerOptions,
    events: UpstreamEvents,
    background: BackgroundReads,
    probeTimeoutMs: number,
  ) {
    this.options = options;
    this.events = events;
    this.#background = background;
    this.#probeTimeoutMs = probeTimeoutMs;
    this.failures = this.newRun();
    this.#byEndpoint = new Map(names.map((name) => [name, new Circuit(name, this)]));
  }

  newRun(): FailureRun {
    return new FailureRun(this.options.calls, 2 * this.#probeTimeoutMs);
  }

  of(endpoint: EndpointName): Circuit {
    return this.#byEndpoint.get(endpoint) as Circuit;
  }

  /** Each endpoint, and whether its circuit is open. */
  *states(): Iterable<[EndpointName, boolean]> {
    for (const [endpoint, circuit] of this.#byEndpoint) yield [endpoint, circuit.isOpenTo()];
  }

  closeAll(): void {
    this.events.emit('circuitClose');
    for (const circuit of this.#byEndpoint.values()) circuit.close();
  }

  /** Makes the same read for no client. */
  probe(send: Dispatch, read: Call): void {
    let sent: Abortable | undefined;
    const probe = { abort: (reason: unknown) => sent?.abort(reason) };
    this.#background.add(probe, this.#probeTimeoutMs);
    sent = send(new Call(read.request), () => this.#background.delete(probe));
  }
}

/** The part of a run that one read without an answer in time brings, because its client has waited long. */
const shareOfTimeout = 1 / 15;

/** Under a high load, a probe does not wait for its interval: it comes after so many refused calls. */
const refusedPerProbe = 200;

/** Sends a read that waits for a probe, or fails it with the error. */
type Settle = (error?: unknown) => void;

/**
 * The circuit of one endpoint. It opens after a run of failures of the endpoint, or of the whole service if the endpoint
 * fails too. A share of failed calls would open it while retries still get through. The run is so long that a service which
 * answers every twentieth call hardly has it.
 */
class Circuit {
  /** Answers so far. A failure of a call that was sent before the last answer is older than that answer. */
  answers = 0;
  readonly #endpoint: EndpointName;
  readonly #all: Circuits;
  readonly #own: FailureRun;
  #isReported = false;
  /** Milliseconds of performance.now(). */
  #nextProbe = 0;
  #probes = 0;
  /** Refused calls since the last probe. */
  #refused = 0;
  /** Reads that wait for the outcome of a probe. */
  readonly #reads = new Set<Settle>();
  #timer: NodeJS.Timeout | undefined;

  constructor(endpoint: EndpointName, all: Circuits) {
    this.#endpoint = endpoint;
    this.#all = all;
    this.#own = all.newRun();
  }

  /** Without a caller: to one at least. */
  isOpenTo(keyDigest?: string): boolean {
    return this.#own.isBegun && (this.#own.isFullFor(keyDigest) || this.#all.failures.isFullFor(keyDigest));
  }

  get isHolding(): boolean {
    return this.#timer !== undefined;
  }

  /** Whether the next probe is due; the call that gets true makes it. Probes of a silent service become rarer. */
  takeProbe(): boolean {
    const now = performance.now();
    const isDue = now >= this.#nextProbe || (this.#probes === 0 && this.#refused >= refusedPerProbe);
    if (!isDue) {
      this.#refused += 1;
      return false;
    }
    this.#refused = 0;
    this.#nextProbe = now + this.#all.options.probeIntervalMs * (1 + this.#probes);
    this.#probes += 1;
    return true;
  }

  endProbe(): void {
    this.#probes -= 1;
  }

  /** Lets a read wait for the outcome of a probe. */
  hold(settle: Settle): Abortable {
    this.#timer ??= setTimeout(() => this.refuseHeld(), this.#all.options.probeWaitMs);
    this.#reads.add(settle);
    return {
      abort: (reason) => {
        if (this.#reads.delete(settle)) settle(reason);
      },
    };
  }

  refuseHeld(): void {
    this.#settleHeld(refusal());
  }

  recordAnswer(): void {
    this.answers += 1;
    const wasOpen = this.isOpenTo();
    this.#own.clear();
    this.#all.failures.clear();
    if (wasOpen || this.#isReported) this.#all.closeAll();
  }

  /** `answers`: the answers when the call was sent. */
  recordFailure(keyDigest: string, answers: number, cause: NoAnswerError | number): void {
    const { calls, probeIntervalMs } = this.#all.options;
    if (calls === 0 || answers !== this.answers) return;
    const isTimeout = cause instanceof NoAnswerError && cause.code === 'UPSTREAM_TIMEOUT';
    const count = isTimeout ? Math.ceil(shareOfTimeout * calls) : 1;
    this.#own.add(keyDigest, count);
    this.#all.failures.add(keyDigest, count);
    if (this.#isReported || !this.isOpenTo()) return;
    this.#isReported = true;
    this.#nextProbe = performance.now() + probeIntervalMs;
    const reason = cause instanceof NoAnswerError && cause.cause instanceof Error ? cause.cause : cause;
    this.#all.events.emit('circuitOpen', this.#endpoint, reason);
  }

  close(): void {
    this.#own.clear();
    this.#isReported = false;
    this.#settleHeld();
  }

  #settleHeld(error?: NotSentError): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const settle of this.#reads) {
      this.#reads.delete(settle);
      settle(error);
    }
  }
}

/** The part of a run that one caller can bring for all callers. */
const shareOfCaller = 1 / 3;

/**
 * Failures without an answer in between. A run is full for all callers when it has `max` failures, of at least three callers.
 * It is full for one caller when that caller alone has brought as many.
 */
class FailureRun {
  readonly #max: number;
  readonly #maxAgeMs: number;
  /** By the digest of the caller's key: at most `#max` entries, whatever keys clients make up. */
  readonly #byCaller = new Map<string, number>();
  /** The failures of all callers, each up to its share. */
  #shared = 0;
  #isFull = false;
  /** Milliseconds of performance.now(). */
  #last = 0;

  constructor(max: number, maxAgeMs: number) {
    this.#max = max;
    this.#maxAgeMs = maxAgeMs;
  }

  /** Whether a call has failed since the last answer. An old run says nothing. */
  get isBegun(): boolean {
    return this.#shared > 0 && performance.now() - this.#last <= this.#maxAgeMs;
  }

  /** Without a caller: for one at least. */
  isFullFor(keyDigest?: string): boolean {
    return this.#isFull && this.isBegun && (keyDigest === undefined || this.#hasFilled(keyDigest));
  }

  /** `count`: failures that this one stands for. */
  add(keyDigest: string, count: number): void {
    if (!this.isBegun) this.clear();
    this.#last = performance.now();
    // More failures change nothing, and would add entries.
    if (this.#hasFilled(keyDigest)) return;
    const most = Math.ceil(shareOfCaller * this.#max);
    const before = this.#byCaller.get(keyDigest) ?? 0;
    this.#byCaller.set(keyDigest, before + count);
    this.#shared += Math.min(before + count, most) - Math.min(before, most);
    this.#isFull ||= this.#hasFilled(keyDigest);
  }

  clear(): void {
    if (this.#shared === 0) return;
    this.#byCaller.clear();
    this.#shared = 0;
    this.#isFull = false;
  }

  #hasFilled(keyDigest: string): boolean {
    return this.#shared >= this.#max || (this.#byCaller.get(keyDigest) ?? 0) >= this.#max;
  }
}

/** Whether the service itself has answered, and not a proxy before it while it is down. */
function isServing(status: number): boolean {
  return status !== 502 && status !== 503 && status !== 504;
}

function refusal(): NotSentError {
  return new NotSentError(
    'UPSTREAM_UNAVAILABLE',
    'The service has been failing; nothing is sent until it answers again.',
    1,
  );
}
