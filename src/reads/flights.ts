import type { Json } from '../rest/json.ts';

/**
 * Reads that are under way. An equal read of the same caller joins the one in flight instead of asking the service
 * again; the request upstream ends early only when the last client that waits for it has left. Whoever joins gets what
 * is left of the time that the first one has for the answer, and the error if it does not come.
 */
export class Flights {
  readonly #flights = new Map<string, Flight>();

  has(name: string): boolean {
    return this.#flights.has(name);
  }

  /** The answer of an equal read, if one is under way. Rejects with the signal's reason when this client leaves. */
  join(name: string, signal?: AbortSignal): Promise<Json> | undefined {
    return this.#flights.get(name)?.answer(signal);
  }

  /**
   * `name` begins with the caller's digest. `landed` hears the answer, unless a later read or a write of the caller has
   * made it old news.
   * @throws the signal's reason, with nothing sent, for a client that has left already.
   */
  start(
    name: string,
    fetch: (signal: AbortSignal) => Promise<Json>,
    { signal, landed }: { signal: AbortSignal | undefined; landed: (answer: Json) => void },
  ): Promise<Json> {
    signal?.throwIfAborted();
    const forget = () => {
      const isLatest = this.#flights.get(name) === flight;
      if (isLatest) this.#flights.delete(name);
      return isLatest;
    };
    const flight = new Flight(fetch, forget);
    this.#flights.set(name, flight);
    flight.landing.then(
      (answer) => forget() && landed(answer),
      () => forget(),
    );
    return flight.answer(signal);
  }

  /** Nobody joins the reads of this caller that have begun by now. */
  closeTo(keyDigest: string): void {
    for (const name of this.#flights.keys()) if (name.startsWith(keyDigest)) this.#flights.delete(name);
  }
}

class Flight {
  readonly landing: Promise<Json>;
  readonly #abandoned = new AbortController();
  readonly #forget: () => void;
  #waiting = 0;

  constructor(fetch: (signal: AbortSignal) => Promise<Json>, forget: () => void) {
    this.#forget = forget;
    this.landing = fetch(this.#abandoned.signal);
  }

  answer(signal: AbortSignal | undefined): Promise<Json> {
    this.#waiting += 1;
    if (!signal) return this.landing;
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal.reason);
        this.#waiting -= 1;
        if (this.#waiting > 0) return;
        // Whoever asks from now on would get the abort for an answer.
        this.#forget();
        this.#abandoned.abort(signal.reason);
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      this.landing.finally(() => signal.removeEventListener('abort', leave)).then(resolve, reject);
    });
  }
}
