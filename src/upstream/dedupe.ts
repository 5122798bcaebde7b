import { type InFlightOptions, InFlightRequest, type Waiter, type Waiting } from './in-flight-request.ts';
import { type RetryOptions, RetryPolicy } from './retry.ts';

/**
 * Reads that are under way. An equal read of the same caller joins the one in flight instead of asking the service
 * again; the request upstream ends early only when the last client that waits for it has left. Whoever joins gets what
 * is left of the time that the first one has for the answer, retries included, and the error if it does not come.
 */
export class RequestDeduplicator {
  readonly #gates = new Map<string, Gate>();
  readonly #retries: RetryPolicy;

  constructor(options: RetryOptions) {
    this.#retries = new RetryPolicy(options);
  }

  /** An equal read, if one is under way. */
  get(name: string): InFlightRequest | undefined {
    return this.#gates.get(name)?.flight;
  }

  /** `name` begins with the caller's digest. */
  start(name: string, departure: InFlightOptions, client: Waiting): Waiter {
    const flight: InFlightRequest = new InFlightRequest(departure, this.#retries, () => this.#close(name, flight));
    this.#close(name, this.get(name));
    this.#gates.set(name, { flight });
    return flight.start(client);
  }

  /** Nobody joins the reads of this caller that have begun by now. */
  closeTo(keyDigest: string): void {
    for (const [name, { flight }] of this.#gates) if (name.startsWith(keyDigest)) this.#close(name, flight);
  }

  /** Whoever asks from now on makes a read of its own. False if that was so before. */
  #close(name: string, flight: InFlightRequest | undefined): boolean {
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
  flight: InFlightRequest | undefined;
}
