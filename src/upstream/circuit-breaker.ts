import { CircuitState, CountBreaker } from 'cockatiel';
import { type EndpointName, endpoints } from './endpoints.ts';
import { NoAnswerError, NotSentError } from './errors.ts';
import { type Dispatch, type Done, type Interceptor, UpstreamRequest, type UpstreamResponse } from './request.ts';

/**
 * Keeps calls from an endpoint that fails. Now and then the gateway makes a read as a probe. Reads that come meanwhile wait
 * briefly for its outcome: the first client after an outage sees no error. A write is its own probe, so that the gateway
 * sends no write that no client asked for.
 */
export function circuitBreaker(circuits: Circuits): Interceptor {
  return (next) => (request, done) => {
    const circuit = circuits.of(request.endpoint);
    if (!circuit.isOpen) return send(next, circuit, request, done);
    const isProbe = circuit.takeProbe();
    if (request.write) return isProbe ? send(next, circuit, request, done, true) : done(refusal(), undefined);
    if (!isProbe && !circuit.isHolding) return done(refusal(), undefined);
    circuit.hold(request, (error) => {
      if (error === undefined) send(next, circuit, request, done);
      else done(error, undefined);
    });
    if (isProbe) circuits.probe((probe, ended) => send(next, circuit, probe, ended, true), request);
  };
}

function send(next: Dispatch, circuit: Circuit, request: UpstreamRequest, done: Done, isProbe = false): void {
  next(request, (error, response) => {
    circuit.record(error, response, isProbe);
    done(error, response);
  });
}

export interface CircuitBreakerOptions {
  /** Number of an endpoint's latest calls that count; 0: its circuit never opens. */
  calls: number;
  /** The circuit opens when more than this part of them has failed: between 0 and 1. */
  failureShare: number;
  /** From one probe to the next. */
  probeIntervalMs: number;
}

export interface CircuitObserver {
  /** Too many calls have failed; `cause` is the error of the last one, or the status of its answer. */
  onOpened(endpoint: EndpointName, cause: Error | number): void;
  /** A probe has succeeded. */
  onClosed(): void;
}

/** The circuits of all endpoints. A good probe of one endpoint closes them all. */
export class Circuits {
  readonly #byEndpoint: Record<EndpointName, Circuit>;
  readonly #probeTimeoutMs: number;
  readonly #probes = new Set<UpstreamRequest>();

  constructor(options: CircuitBreakerOptions, observer: CircuitObserver, probeTimeoutMs: number) {
    this.#probeTimeoutMs = probeTimeoutMs;
    const onProbeSuccess = () => {
      observer.onClosed();
      for (const circuit of Object.values(this.#byEndpoint)) circuit.close();
    };
    const names = Object.keys(endpoints) as EndpointName[];
    const circuits = names.map((endpoint) => {
      const onOpened = (cause: Error | number) => observer.onOpened(endpoint, cause);
      return [endpoint, new Circuit(options, onOpened, onProbeSuccess)];
    });
    this.#byEndpoint = Object.fromEntries(circuits);
  }

  of(endpoint: EndpointName): Circuit {
    return this.#byEndpoint[endpoint];
  }

  /** Each endpoint, and whether its circuit is open. */
  *states(): Iterable<[EndpointName, boolean]> {
    for (const [endpoint, { isOpen }] of Object.entries(this.#byEndpoint)) yield [endpoint as EndpointName, isOpen];
  }

  /** Makes the same read for no client. */
  probe(send: Dispatch, read: UpstreamRequest): void {
    const probe = new UpstreamRequest(read);
    const timer = setTimeout(() => probe.expire(), this.#probeTimeoutMs);
    this.#probes.add(probe);
    send(probe, () => {
      clearTimeout(timer);
      this.#probes.delete(probe);
    });
  }

  abortProbes(reason: Error): void {
    for (const probe of this.#probes) probe.abort(reason);
  }
}

/** A circuit opens only after this many calls. */
const minCalls = 5;

/** The wait of a read for a probe: a client of a service that is down gets its error soon. */
const maxHoldMs = 150;

/** Sends a read that waits for a probe, or fails it with the error. */
type Settle = (error?: unknown) => void;

/** The circuit of one endpoint. cockatiel decides when it opens; cockatiel's own probes would make clients wait too long. */
class Circuit {
  isOpen = false;
  readonly #probeIntervalMs: number;
  /** Absent where the circuit never opens. */
  readonly #breaker: CountBreaker | undefined;
  readonly #onOpened: (cause: Error | number) => void;
  readonly #onProbeSuccess: () => void;
  /** Milliseconds of performance.now(). */
  #nextProbe = 0;
  /** Reads that wait for the outcome of a probe. */
  readonly #reads = new Set<Settle>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { calls, failureShare, probeIntervalMs }: CircuitBreakerOptions,
    onOpened: (cause: Error | number) => void,
    onProbeSuccess: () => void,
  ) {
    this.#probeIntervalMs = probeIntervalMs;
    this.#onOpened = onOpened;
    this.#onProbeSuccess = onProbeSuccess;
    if (calls > 0) {
      const minimumNumberOfCalls = Math.min(minCalls, calls);
      this.#breaker = new CountBreaker({ size: calls, threshold: failureShare, minimumNumberOfCalls });
    }
  }

  get isHolding(): boolean {
    return this.#timer !== undefined;
  }

  /** Whether the next probe is due; the call that gets true makes it. */
  takeProbe(): boolean {
    const now = performance.now();
    if (now < this.#nextProbe) return false;
    this.#nextProbe = now + this.#probeIntervalMs;
    return true;
  }

  hold(read: UpstreamRequest, settle: Settle): void {
    this.#timer ??= setTimeout(() => this.#settleAll(refusal()), maxHoldMs);
    this.#reads.add(settle);
    read.controller = {
      abort: (reason) => {
        if (this.#reads.delete(settle)) settle(reason);
      },
    };
  }

  /** Errors that do not concern the service count neither way. */
  record(error: unknown, response: UpstreamResponse | undefined, isProbe: boolean): void {
    if (response && isServing(response.status)) this.#recordSuccess(isProbe);
    else if (response) this.#recordFailure(isProbe, response.status);
    else if (error instanceof NoAnswerError)
      this.#recordFailure(isProbe, error.cause instanceof Error ? error.cause : error);
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#breaker?.success(CircuitState.HalfOpen);
    this.#settleAll();
  }

  #recordSuccess(isProbe: boolean): void {
    if (!this.isOpen) this.#breaker?.success(CircuitState.Closed);
    else if (isProbe) this.#onProbeSuccess();
  }

  #recordFailure(isProbe: boolean, cause: Error | number): void {
    if (isProbe) {
      this.#settleAll(refusal());
    } else if (!this.isOpen && this.#breaker?.failure(CircuitState.Closed)) {
      this.isOpen = true;
      this.#nextProbe = performance.now() + this.#probeIntervalMs;
      this.#onOpened(cause);
    }
  }

  #settleAll(error?: NotSentError): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const settle of this.#reads) {
      this.#reads.delete(settle);
      settle(error);
    }
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
