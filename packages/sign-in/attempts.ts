import { UpstreamError } from '@gateway/base';

/** Names in memory. The one that has been silent for longest gives way to a new one. */
const maxNames = 10_000;

interface Bucket {
  left: number;
  /** Milliseconds of performance.now(). */
  at: number;
}

/** Bounds the attempts by name with a bucket each: `perMinute` at once, and as many again in each minute. */
export class Attempts {
  readonly #perMinute: number;
  readonly #whose: string;
  readonly #buckets = new Map<string, Bucket>();

  /** `whose`: what the names are, for messages. */
  constructor(perMinute: number, whose: string) {
    this.#perMinute = perMinute;
    this.#whose = whose;
  }

  /** @throws UpstreamError RATE_LIMITED where the name has no attempt left. */
  take(name: string): void {
    const now = performance.now();
    const msEach = 60_000 / this.#perMinute;
    const { left, at } = this.#buckets.get(name) ?? { left: this.#perMinute, at: now };
    const filled = Math.min(this.#perMinute, left + (now - at) / msEach);
    const isRefused = filled < 1;
    this.#buckets.delete(name);
    this.#buckets.set(name, { left: isRefused ? filled : filled - 1, at: now });
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= maxNames) break;
      this.#buckets.delete(oldest);
    }
    if (!isRefused) return;
    const message = `${this.#whose} may sign in ${this.#perMinute} times a minute. Nothing was sent to the service.`;
    throw new UpstreamError('RATE_LIMITED', message, { retryAfter: Math.ceil(((1 - filled) * msEach) / 1_000) });
  }
}

/** The network of an address. One client has as many addresses of IPv6 as it likes in the network of its /64. */
export function networkOf(address = ''): string {
  if (address.includes('.')) return address.replace('::ffff:', '');
  const [head = ''] = address.split('::');
  return head.split(':').slice(0, 4).join(':');
}
