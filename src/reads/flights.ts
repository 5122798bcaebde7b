import { bodyOf } from '../rest/answer.ts';
import type { Content } from '../rest/content.ts';
import type { Json } from '../rest/json.ts';
import type { Exchange, RawAnswer, Receiver } from '../rest/read.ts';

/** A read that is to be made. */
export interface Departure {
  isById: boolean;
  /** Sends it. */
  send(receiver: Receiver): Exchange;
  /** Hears its answer, unless a later read or a write of the caller has made it old news. */
  landed(body: Json, content: Content): void;
  /** Hears the status of its answer; undefined where none came, or nobody waits for it any more. */
  ended(status: number | undefined): void;
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
  readonly #gates = new Map<string, Gate>();

  /** An equal read, if one is under way. */
  get(name: string): Flight | undefined {
    return this.#gates.get(name)?.flight;
  }

  /** `name` begins with the caller's digest. */
  start(name: string, departure: Departure): Flight {
    const flight: Flight = new Flight(departure, () => this.#close(name, flight));
    this.#close(name, this.get(name));
    this.#gates.set(name, { flight });
    flight.start();
    return flight;
  }

  /** Nobody joins the reads of this caller that have begun by now. */
  closeTo(keyDigest: string): void {
    for (const [name, { flight }] of this.#gates) if (name.startsWith(keyDigest)) this.#close(name, flight);
  }

  /** Whoever asks from now on makes a read of its own. False if that was so before. */
  #close(name: string, flight: Flight | undefined): boolean {
    const gate = this.#gates.get(name);
    if (!gate || gate.flight !== flight) return false;
    gate.flight = undefined;
    return this.#gates.delete(name);
  }
}

/**
 * Where a flight can be joined. A map that much goes through leaves tables behind that hold all that was in them, and
 * lead to the table after them: such garbage, once it is old, keeps what it holds from being collected early. So it
 * holds gates, and a closed one leads nowhere.
 */
interface Gate {
  flight: Flight | undefined;
}

/** One read, and the clients that wait for it. */
export class Flight implements Receiver {
  readonly answer: Promise<Json>;
  readonly onStatus: Departure['onStatus'];
  readonly #departure: Departure;
  readonly #close: () => boolean;
  #exchange: Exchange | undefined;
  #waiting = 0;
  #resolve!: (body: Json) => void;
  #reject!: (error: unknown) => void;

  /** `close`: nobody joins it any more; false if that was so before. */
  constructor(departure: Departure, close: () => boolean) {
    this.#departure = departure;
    this.#close = close;
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
    this.#departure.ended(raw.status);
    let body: Json;
    try {
      body = bodyOf(raw, { isWrite: false, isById: this.#departure.isById });
    } catch (error) {
      this.#crash(error);
      return;
    }
    if (this.#close()) this.#departure.landed(body, raw.content);
    this.#resolve(body);
  }

  failed(error: unknown): void {
    this.#departure.ended(undefined);
    this.#crash(error);
  }

  #crash(error: unknown): void {
    this.#close();
    this.#departure.crashed(error);
    this.#reject(error);
  }
}
