import { type Deadlines, Timed } from '../lib/deadlines.ts';
import type { CircuitBreaker, GuardedRequest } from './circuit-breaker.ts';
import type { UpstreamClock } from './clock.ts';
import { readFailure } from './connection-errors.ts';
import { type NotSentError, secondsIn, UpstreamError } from './errors.ts';
import type { CallerQueue, FairQueue, Task } from './fair-queue.ts';
import type { ParsedBodyCache, ResponseBody } from './parsed-body-cache.ts';
import type { RateLimitGate } from './rate-limit.ts';

/** What came over the wire. */
export interface RawResponse {
  status: number;
  content: ResponseBody;
  retryAfter: string | undefined;
}

/** Hears what becomes of a read: the status as soon as there is one, then the whole answer or the failure. */
export interface Receiver {
  onStatus?: ((status: number) => void) | undefined;
  answered(answer: RawResponse): void;
  /** RestError for a connection that failed and at the deadline; the reason with which the read was given up. */
  failed(error: unknown): void;
}

interface Controller {
  abort(reason: Error): void;
}

/** Who a call is made for. */
export interface Sender {
  /** All headers of the call; above all `authorization`. */
  sent: Readonly<Record<string, string>>;
  /** Digest of the key: what the service holds against one key, it does not hold against another. */
  keyDigest: string;
}

/** What all reads have in common. */
export interface Transport {
  deadlines: Deadlines;
  contents: ParsedBodyCache;
  turns: FairQueue;
  pauses: RateLimitGate;
  clock: UpstreamClock;
  /** That are under way. */
  probes: Set<UpstreamRequest>;
  send(path: string, headers: Sender['sent'], handler: UpstreamRequest): void;
}

export interface Call {
  path: string;
  sender: Sender;
  /** Of its endpoint. */
  breaker: CircuitBreaker;
  /** Made for nobody, to see whether the endpoint serves again. */
  isProbe?: boolean;
}

interface AnswerHeaders {
  date?: string | string[];
  'retry-after'?: string | string[];
}

/** One for all: a client that leaves gives up hundreds of reads, and an error is dear to make. Nobody sees it. */
const givenUp = new Error('The read was given up.');

const nobody: Receiver = { answered: () => {}, failed: () => {} };

/**
 * One GET under way, as undici tells of it. An operation makes a hundred of them, and to each the promises, the signal,
 * the timer and the body stream of undici's `request` would add more work than its transfer is.
 */
export class UpstreamRequest extends Timed implements GuardedRequest, Task {
  readonly #line: Transport;
  readonly #call: Call;
  readonly #receiver: Receiver;
  #chunks: Buffer | Buffer[] | undefined;
  /** Where its connection is counted. */
  #lane: CallerQueue | undefined;
  #controller: Controller | undefined;
  #status = 0;
  #retryAfter: string | undefined;
  #isOver = false;

  constructor(line: Transport, call: Call, receiver: Receiver) {
    super();
    this.#line = line;
    this.#call = call;
    this.#receiver = receiver;
    line.deadlines.start(this);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends it, if the service may be asked now. */
  start(): void {
    const refusal = this.#line.pauses.refusal(this.#call.sender.keyDigest);
    if (refusal) this.refuse(refusal);
    else this.#call.breaker.admit(this);
  }

  pass(): void {
    if (!this.#isOver) this.#line.turns.take(this.#call.sender.keyDigest, this);
  }

  refuse(reason: NotSentError): void {
    if (this.#end()) this.#receiver.failed(reason);
  }

  probe(): void {
    const probe = new UpstreamRequest(this.#line, { ...this.#call, isProbe: true }, nobody);
    this.#line.probes.add(probe);
    probe.pass();
  }

  begin(lane: CallerQueue): void {
    this.#lane = lane;
    const { path, sender } = this.#call;
    this.#line.send(path, sender.sent, this);
  }

  /** Ends the read early; its receiver hears the reason. */
  giveUp(reason: unknown): void {
    if (!this.#end()) return;
    this.#receiver.failed(reason);
    this.#controller?.abort(givenUp);
  }

  expire(): void {
    const late = new UpstreamError('UPSTREAM_TIMEOUT', 'The service did not answer in time.');
    // What has found no connection says nothing of the service.
    if (this.#lane) this.#failed(late);
    this.giveUp(late);
  }

  onRequestStart(controller: Controller): void {
    // Given up while it waited for a connection. An abort would close the connection, for which others wait too.
    if (this.#isOver) throw givenUp;
    this.#controller = controller;
  }

  onResponseStart(_: Controller, status: number, headers: AnswerHeaders): void {
    // 1xx: the answer is yet to come.
    if (status < 200) return;
    this.#status = status;
    this.#line.clock.hear(headers.date);
    this.#retryAfter = headers['retry-after'] as string | undefined;
    this.#receiver.onStatus?.(status);
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    // Most answers come in one piece.
    if (this.#chunks === undefined) this.#chunks = chunk;
    else if (Array.isArray(this.#chunks)) this.#chunks.push(chunk);
    else this.#chunks = [this.#chunks, chunk];
  }

  onResponseEnd(): void {
    if (!this.#end()) return;
    const { path, sender } = this.#call;
    const status = this.#status;
    if (status === 429) this.#line.pauses.begin(sender.keyDigest, secondsIn(this.#retryAfter));
    if (isServing(status)) this.#call.breaker.succeeded(this.#call.isProbe ?? false);
    else this.#failed(status);
    const content = this.#line.contents.of(path, joined(this.#chunks));
    this.#chunks = undefined;
    this.#receiver.answered({ status, content, retryAfter: this.#retryAfter });
  }

  onResponseError(_: Controller, error: Error): void {
    if (!this.#end()) return;
    this.#failed(error);
    this.#receiver.failed(readFailure(error));
  }

  #failed(cause: Error | number): void {
    const { breaker, isProbe = false } = this.#call;
    breaker.failed(isProbe, cause);
  }

  /** False if it was over before. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#line.deadlines.stop(this);
    if (this.#call.isProbe) this.#line.probes.delete(this);
    if (this.#lane) this.#line.turns.end(this.#lane);
    return true;
  }
}

/** Whether the service itself has answered, not what stands before it while it is down. */
export function isServing(status: number): boolean {
  return status !== 502 && status !== 503 && status !== 504;
}

function joined(chunks: Buffer | Buffer[] | undefined): Buffer {
  return chunks === undefined || Array.isArray(chunks) ? Buffer.concat(chunks ?? []) : chunks;
}
