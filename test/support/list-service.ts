import { createHash } from 'node:crypto';
import { type FakeRequest, type FakeUpstream, startFakeUpstream } from './fake-upstream.ts';
import { type Gateway, startGateway } from './harness.ts';
import { listPaths } from './rest-endpoints.ts';
import type { Settings } from './settings.ts';

/** A row whose times are unix seconds. */
export interface ListedRow {
  id: string;
  created_on: number;
  updated_on: number;
  name: string;
}

export type ListField = 'farmers' | 'products' | 'productTransactions';

/**
 * A gateway before a service whose lists a test changes row by row. The service orders rows as the real one
 * does: farmers by their creation, others by `created_on`. Rows of one second come in another order on each page.
 */
export class ListService implements AsyncDisposable {
  readonly rows: Record<ListField, ListedRow[]> = { farmers: [], products: [], productTransactions: [] };
  readonly gateway: Gateway;
  /** Rows of the largest page. */
  maxPageSize = Number.POSITIVE_INFINITY;
  readonly #upstream: FakeUpstream;

  private constructor(gateway: Gateway, upstream: FakeUpstream) {
    this.gateway = gateway;
    this.#upstream = upstream;
    upstream.respond = (request) => this.#answer(request);
  }

  static async start(settings: Settings = {}): Promise<ListService> {
    const upstream = await startFakeUpstream();
    return new ListService(await startGateway({ upstreamUrl: upstream.url, settings }), upstream);
  }

  /** Calls since the last `clear`. */
  get calls(): readonly string[] {
    return this.#upstream.calls;
  }

  clear(): void {
    this.#upstream.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.gateway.close();
    await this.#upstream.close();
  }

  #answer({ path }: FakeRequest) {
    const { pathname, searchParams } = new URL(path, 'http://service');
    const field = (Object.keys(this.rows) as ListField[]).find((name) => listPaths[name] === pathname);
    if (!field) return { status: 404, body: '{}' };
    const number = (name: string) => Number(searchParams.get(name) ?? 0);
    const limit = Math.min(number('limit'), this.maxPageSize);
    const after = number('updated_after');
    const isListed = ({ updated_on }: ListedRow) => (field === 'farmers' ? updated_on > after : updated_on >= after);
    const listed = this.rows[field].filter(isListed);
    const order = (row: ListedRow) => createHash('md5').update(`${row.id} ${path}`).digest('hex');
    if (field !== 'farmers') {
      const keys = new Map(listed.map((row) => [row, order(row)]));
      const byKey = (a: ListedRow, b: ListedRow) => (keys.get(a)! < keys.get(b)! ? -1 : 1);
      listed.sort((a, b) => b.created_on - a.created_on || byKey(a, b));
    }
    const results = listed.slice(number('offset'), number('offset') + limit).map((row) => ({
      ...row,
      number: row.name,
      created_on: String(row.created_on),
      updated_on: String(row.updated_on),
    }));
    return { status: 200, body: JSON.stringify({ count: listed.length, next: null, previous: null, results }) };
  }
}
