import { bodyOf } from '../rest/answer.ts';
import type { Json } from '../rest/json.ts';
import type { Exchange, RawAnswer, Receiver } from '../rest/read.ts';

/** A read that is to be made. */
export interface Departure {
  isById: boolean;
  /** Sends it. */
  send(receiver: Receiver): Exchange;
  /** Hears its answer, unless a later read or a write of the caller has made it old news. */
  landed(body: Json, text: string): void;
  /** Hears that it failed, whatever the reason. */
  crashed(error: unknown): void;
  onStatus: ((status: number) => void) | undefined;
}

/**
 * Reads that are under way. An equal read of the same caller joins the one in flight instead of asking the service
 * again; the request upstream ends early only when the last client that waits for it has left. Whoever joins gets what
 * is left of the time that the first one has for the answer, and the error if it does not come.
 */
export class Flights {
  readonly #flights = new Map<string, Flight>();

  /** An equal read, if one is under way. */
  get(name: string): Flight | undefined {
    return this.#flights.get(name);
  }

  /** `name` begins with the caller's digest. */
  start(name: string, departure: Departure): Flight {
    const flight = new Flight(departure, this.#flights, name);
    this.#flights.set(name, flight);
    flight.start();
    return flight;
  }

  /** Nobody joins the reads of this caller that have begun by now. */
  closeTo(keyDigest: string): void {
    for (const name of this.#flights.keys()) if (name.startsWith(keyDigest)) this.#flights.delete(name);
  }
}

/** One read, and the clients that wait for it. */
export class Flight implements Receiver {
  readonly answer: Promise<Json>;
  readonly onStatus: Departure['onStatus'];
  readonly #departure: Departure;
  readonly #flights: Map<string, Flight>;
  readonly #name: string;
  #exchange: Exchange | undefined;
  #waiting = 0;
  #resolve!: (body: Json) => void;
  #reject!: (error: unknown) => void;

  constructor(departure: Departure, flights: Map<string, Flight>, name: string) {
    this.#departure = departure;
    this.#flights = flights;
    this.#name = name;
    this.onStatus = departure.onStatus;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  start(): void {
    this.#exchange = this.#departure.send(this);
  }

  /** One client more waits for the answer. */
  join(): this {
    this.#waiting += 1;
    return this;
  }

  /** A client that has joined has gone; the last one gives the read up. */
  leave(reason: unknown): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#exchange?.giveUp(reason);
  }

  answered(raw: RawAnswer): void {
    let body: Json;
    try {
      body = bodyOf(raw, { isWrite: false, isById: this.#departure.isById });
    } catch (error) {
      this.failed(error);
      return;
    }
    if (this.#forget()) this.#departure.landed(body, raw.text);
    this.#resolve(body);
  }

  failed(error: unknown): void {
    this.#forget();
    this.#departure.crashed(error);
    this.#reject(error);
  }

  /** Whoever asks from now on makes a read of its own. False if that was so before. */
  #forget(): boolean {
    return this.#flights.get(this.#name) === this && this.#flights.delete(this.#name);
  }
}
