import type { Json } from '../lib/json.ts';
import { NotSentError, UpstreamError } from './errors.ts';
import type { ResponseBody } from './parsed-body-cache.ts';
import { bodyOf } from './response.ts';
import type { RetryPolicy } from './retry.ts';
import type { RawResponse, Receiver, UpstreamRequest } from './transport.ts';

/** A read that is to be made. */
export interface InFlightOptions {
  isById: boolean;
  /** The Authorization that goes with it. */
  key: string | undefined;
  /** Sends it. */
  send(receiver: Receiver): UpstreamRequest;
  /** Hears every answer. */
  heard(body: Json, content: ResponseBody): void;
  /** Hears its answer, unless a later read or a write of the caller has made it old news. */
  landed(body: Json, content: ResponseBody): void;
  /** Hears how each attempt ended: the status of its answer, or undefined where none came or nobody waits for it any more. */
  ended(status: number | undefined): void;
  /** Hears instead that an attempt was not sent. */
  withheld(reason: NotSentError): void;
  /** Hears that it failed, whatever the reason. */
  crashed(error: unknown): void;
  observer: CallObserver | undefined;
}

/** Follows the calls that a read takes. */
export interface CallObserver {
  onStatus: (status: number) => void;
  /** The attempt has failed, and another one follows. */
  onFailure: (error: unknown) => void;
  /** That attempt begins. */
  onRetry: () => void;
}

/** Who waits for a read. */
export interface Waiting {
  /** Until when; milliseconds of performance.now(). */
  readonly due: number;
  /** Takes one call more upon itself; false where it may not. */
  takesRetry(): boolean;
}

/** One client's wait for the answer of a flight. */
export class Waiter {
  readonly client: Waiting;
  readonly answer: Promise<Json>;
  resolve!: (body: Json) => void;
  reject!: (error: unknown) => void;
  readonly #flight: InFlightRequest;

  constructor(client: Waiting, flight: InFlightRequest) {
    this.client = client;
    this.#flight = flight;
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** The client no longer waits, and is told why. */
  leave(reason: unknown): void {
    this.#flight.leave(this, reason);
  }
}

/** Before the start, and when all is over. */
const nobody: Waiter[] = [];

/** One read, and the clients that wait for it. Where an attempt fails for a while only, all of them wait for the next. */
export class InFlightRequest implements Receiver {
  readonly onStatus: CallObserver['onStatus'] | undefined;
  readonly #departure: InFlightOptions;
  readonly #retries: RetryPolicy;
  readonly #close: () => boolean;
  #seats = nobody;
  #exchange: UpstreamRequest | undefined;
  #isOver = false;
  /** Since the first attempt has failed. */
  #retry: { attempts: number; due: number; timer: NodeJS.Timeout | undefined } | undefined;

  /** `close`: nobody joins it any more; false if that was so before. */
  constructor(departure: InFlightOptions, retries: RetryPolicy, close: () => boolean) {
    this.#departure = departure;
    this.#retries = retries;
    this.#close = close;
    this.onStatus = departure.observer?.onStatus;
    retries.begin();
  }

  /** Makes the read for its first client. */
  start(client: Waiting): Waiter {
    const seat = new Waiter(client, this);
    this.#seats = [seat];
    this.#send();
    return seat;
  }

  /** One client more waits for the answer. */
  join(client: Waiting): Waiter {
    const seat = new Waiter(client, this);
    this.#seats.push(seat);
    return seat;
  }

  /** The last one that leaves gives the read up. */
  leave(seat: Waiter, reason: unknown): void {
    const index = this.#seats.indexOf(seat);
    if (index < 0) return;
    this.#seats.splice(index, 1);
    seat.reject(reason);
    if (this.#seats.length > 0) return;
    this.#exchange?.giveUp(reason);
    // Between two attempts nothing is under way that could be given up.
    if (!this.#isOver) this.#fail(reason);
  }

  answered(raw: RawResponse): void {
    this.#departure.ended(raw.status);
    let body: Json;
    try {
      body = bodyOf(raw, { isWrite: false, isById: this.#departure.isById, key: this.#departure.key });
      this.#departure.heard(body, raw.content);
      if (this.#close()) this.#departure.landed(body, raw.content);
    } catch (error) {
      this.#fail(error);
      return;
    }
    for (const seat of this.#end()) seat.resolve(body);
  }

  failed(error: unknown): void {
    if (error instanceof NotSentError) this.#departure.withheld(error);
    else this.#departure.ended(undefined);
    this.#fail(error);
  }

  #fail(error: unknown): void {
    if (this.#isRetriedAfter(error)) return;
    this.#close();
    this.#departure.crashed(error);
    for (const seat of this.#end()) seat.reject(error);
  }

  /** Returns those who still wait. */
  #end(): Waiter[] {
    this.#isOver = true;
    this.#retries.end(this.#retry !== undefined);
    clearTimeout(this.#retry?.timer);
    const seats = this.#seats;
    this.#seats = nobody;
    return seats;
  }

  /** Whether another attempt follows, after a pause. Whoever cannot wait for it is told the error at once. */
  #isRetriedAfter(error: unknown): boolean {
    const pause = this.#retries.pauseAfter(error, this.#retry?.attempts ?? 1);
    if (pause === undefined) return false;
    const at = performance.now() + pause;
    const due = this.#retry?.due ?? this.#exchange?.due ?? 0;
    const { staying = [], leaving = [] } = Object.groupBy(this.#seats, ({ client }) =>
      at < Math.min(due, client.due) ? 'staying' : 'leaving',
    );
    if (staying.length === 0) return false;
    if (!this.#retry) {
      if (!this.#retries.admit()) return false;
      this.#retry = { attempts: 1, due, timer: undefined };
    }
    if (!staying.some(({ client }) => client.takesRetry())) return false;
    for (const seat of leaving) seat.reject(error);
    this.#seats = staying;
    this.#departure.observer?.onFailure(error);
    clearTimeout(this.#retry.timer);
    this.#retry.timer = setTimeout(() => this.#again(), pause);
    return true;
  }

  #again(): void {
    const retry = this.#retry;
    if (!retry) return;
    const time = retry.due - performance.now();
    if (time <= 0) {
      this.#fail(new UpstreamError('UPSTREAM_TIMEOUT', 'The service did not answer in time.'));
      return;
    }
    retry.attempts += 1;
    this.#departure.observer?.onRetry();
    // The attempt has a deadline of its own, which is later than that of the flight.
    retry.timer = setTimeout(() => this.#exchange?.expire(), time);
    this.#send();
  }

  #send(): void {
    this.#exchange = this.#departure.send(this);
  }
}
