import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from './refusal.ts';

export interface FaultOptions {
  /** Milliseconds before each answer. */
  delayMs?: number;
  /** Share of calls, 0 to 1, that get a 503. */
  failRate?: number;
}

/** The values of the headers that ask for a failure or a delay. */
const controls = [
  { name: 'X-Sandbox-Delay', value: /^\d+(\.\d+)?$/, says: 'X-Sandbox-Delay is milliseconds, such as 2000.' },
  {
    name: 'X-Sandbox-Fail',
    value: /^[45]\d{2}(:.*)?$/,
    says: 'X-Sandbox-Fail is a status from 400 to 599 and a path, such as 503 or 503:/catalogs.',
  },
];

/** Failures and delays on demand: by option for every call, by request header for one. */
export class Faults {
  readonly #delayMs: number;
  readonly #failRate: number;
  #calls = 0;

  constructor({ delayMs = 0, failRate = 0 }: FaultOptions) {
    this.#delayMs = delayMs;
    this.#failRate = failRate;
  }

  /** @throws Refusal 400 for a header that asks for nothing there is. */
  requireKnown(headers: IncomingHttpHeaders): void {
    for (const { name, value, says } of controls) {
      const given = headers[name.toLowerCase()];
      if (given !== undefined && !value.test(String(given))) throw invalid({ [name]: [says] });
    }
  }

  delayOf(headers: IncomingHttpHeaders): number {
    const asked = Number(headers['x-sandbox-delay']);
    return asked > 0 ? asked : this.#delayMs;
  }

  /** The status to fail with. A share is counted, not drawn, so that a run can be repeated: 0.25 is every fourth call. */
  statusFor(path: string, headers: IncomingHttpHeaders): number | undefined {
    const [, status, start = '/'] = /^([45]\d{2})(?::(.*))?$/.exec(String(headers['x-sandbox-fail'] ?? '')) ?? [];
    if (status && path.startsWith(start)) return Number(status);
    this.#calls += 1;
    const due = Math.floor(this.#calls * this.#failRate) > Math.floor((this.#calls - 1) * this.#failRate);
    return due ? 503 : undefined;
  }
}
