import type { Row } from '../rest-reads.ts';

export interface Page {
  count: number;
  results: Row[];
}

/** An error of the answer, by its code. */
export class Failure extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Reads the REST service by one GET after the other, and lists the GETs. */
export class RestReader {
  readonly calls: string[] = [];
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  get isConnect(): boolean {
    return this.#url.endsWith('/connect/v1');
  }

  /** One resource; undefined where there is none. */
  async one(path: string, id: string): Promise<Row | undefined> {
    return (await this.#get(`${path}${encodeURIComponent(id)}/`)) as Row | undefined;
  }

  /** Rows `offset` to `offset + limit`, of as many pages as the service makes of them; `limit` is at least 1. */
  async rows(path: string, filters: Record<string, string>, offset: number, limit: number): Promise<Page> {
    const results: Row[] = [];
    for (;;) {
      const at = { offset: String(offset + results.length), limit: String(limit - results.length) };
      const page = (await this.#get(`${path}?${new URLSearchParams({ ...filters, ...at })}`)) as unknown as Page;
      results.push(...page.results);
      const isLast = page.results.length === 0 || offset + results.length >= page.count;
      if (isLast || results.length >= limit) return { count: page.count, results };
    }
  }

  /** A resource that the service gives only as a row of its list. */
  async inList(path: string, id: string): Promise<Row | undefined> {
    const { results } = await this.rows(path, {}, 0, 100_000);
    return results.find((row) => row.id === id);
  }

  async #get(path: string): Promise<object | undefined> {
    this.calls.push(`GET ${path}`);
    const url = new URL(this.#url + path);
    // Without it, real deployments hide the transactions of colleagues.
    if (path.startsWith('/transactions/product-transactions/')) url.searchParams.set('filter_by', 'all');
    const response = await fetch(url, { headers: { authorization: this.#key } });
    if (response.status === 404) return undefined;
    if (response.status === 500) throw new Failure('UPSTREAM_ERROR');
    if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}.`);
    return outOfEnvelope(await response.json());
  }
}

/** Real deployments wrap every answer. */
function outOfEnvelope(body: { success?: boolean; data?: object }): object {
  return body.success === true && body.data ? body.data : body;
}
