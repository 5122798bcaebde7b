import type { FakeRequest, Reply } from './fake-upstream.ts';

export interface ListRow {
  id: string;
  /** Unix seconds. */
  created_on: string;
}

/**
 * A list of the service in the dialect `connect`, newest first. Rows of one time come in another order on each page. Rows
 * come and go between its pages.
 */
export class ChangingList {
  rows: ListRow[];
  maxPageSize = Number.POSITIVE_INFINITY;
  /** The pages that were read, as `offset+limit`. */
  readonly pages: string[] = [];
  /** Changes the rows before a page is read; the first page has the number 0. */
  beforePage: (page: number) => void = () => {};
  readonly #path: string;

  constructor(path: string, rows: ListRow[]) {
    this.#path = path;
    this.rows = rows;
  }

  /** Answers requests for pages of the list. */
  readonly respond = ({ path }: Pick<FakeRequest, 'path'>): Reply | undefined => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    if (pathname !== this.#path) return undefined;
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
    this.beforePage(this.pages.length);
    this.pages.push(`${offset}+${limit}`);
    const ranks = new Map(this.rows.map((row) => [row, hash(`${offset} ${limit} ${row.id}`)]));
    const rankOf = (row: ListRow) => ranks.get(row) as number;
    const sorted = this.rows.toSorted((a, b) => Number(b.created_on) - Number(a.created_on) || rankOf(a) - rankOf(b));
    return listReply(sorted.length, sorted.slice(offset, offset + Math.min(limit, this.maxPageSize)));
  };
}

export function listReply(count: number, results: readonly object[]): Reply {
  return { body: JSON.stringify({ success: true, code: 200, data: { count, next: null, previous: null, results } }) };
}

/** Rows in groups of these sizes, each of one time, newest first. The groups of one list have different names. */
export function groups(sizes: readonly number[], { name = 'G', newest = 1_790_000_000 } = {}): ListRow[] {
  return sizes.flatMap((size, group) =>
    Array.from({ length: size }, (_, index) => ({
      id: `${name}${group}R${index}`,
      created_on: String(newest - group),
    })),
  );
}

/** FNV-1a, with its bits mixed once more. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return Math.imul(value ^ (value >>> 15), 0x85ebca6b) >>> 0;
}
