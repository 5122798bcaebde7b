/** One call that reached the sandbox below its base path. */
export interface Call {
  method: string;
  /** Below the base path, with the query. */
  path: string;
  /** The path of the interface specification, as in `/supply-chains/farmers/{hashid}/`; empty for unknown paths. */
  template: string;
  /** As in `listFarmers`; empty for an unknown path or method. */
  endpoint: string;
  /** 0 until the sandbox answers. */
  status: number;
  /** Rows of the list that the answer holds. */
  rows?: number;
  /** How long the call keeps a worker busy, where the sandbox has a pace. */
  workMs?: number;
  headers: Record<string, string | string[] | undefined>;
  /** The JSON that was sent. */
  body?: unknown;
  /** Present for an upload that arrived whole and was stored. */
  file?: StoredFile;
}

export interface StoredFile {
  name: string;
  type: string;
  bytes: number;
  sha256: string;
  /** The header of the whole request; undefined for a chunked request. */
  contentLength: number | undefined;
}

const mostCalls = 10_000;

/** The latest calls, oldest first. Bounded, so that a sandbox that runs for weeks does not grow. */
export class CallLog {
  #calls: Call[] = [];

  add(call: Call): Call {
    if (this.#calls.length >= 2 * mostCalls) this.#calls = this.#calls.slice(-mostCalls);
    this.#calls.push(call);
    return call;
  }

  all(): Call[] {
    return this.#calls.slice(-mostCalls);
  }

  clear(): void {
    this.#calls = [];
  }

  /** The number of calls of each endpoint, and the calls without their headers, which hold keys. */
  summary() {
    const calls = this.all();
    const counts = Object.groupBy(calls, ({ method, template, path }) => `${method} ${template || path}`);
    return {
      count: calls.length,
      by_endpoint: Object.fromEntries(Object.entries(counts).map(([name, group]) => [name, group?.length ?? 0])),
      calls: calls.map(({ headers: _headers, ...call }) => call),
    };
  }
}
