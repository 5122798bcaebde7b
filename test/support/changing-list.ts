import type { FakeRequest, Reply } from './fake-upstream.ts';

export interface ListRow {
  id: string;
  /** Unix seconds. */
  created_on: string;
  /** The time of the last change; `created_on` unless given. */
  updated_on?: string;
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
  readonly #by: 'created_on' | 'updated_on';

  /** `by`: in order of creation, the newest first, or of the last change, the earliest first. */
  constructor(path: string, rows: ListRow[], by: 'created_on' | 'updated_on' = 'created_on') {
    this.#path = path;
    this.rows = rows;
    this.#by = by;
  }

  /** Answers requests for pages of the list. */
  readonly respond = ({ path }: Pick<FakeRequest, 'path'>): Reply | undefined => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    if (pathname !== this.#path) return undefined;
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
    this.beforePage(this.pages.length);
    this.pages.push(`${offset}+${limit}`);
    const ranks = new Map(this.rows.map((row) => [row.id, hash(`${offset} ${limit} ${row.id}`)]));
    const rankOf = (row: ListRow) => ranks.get(row.id) as number;
    const direction = this.#by === 'created_on' ? -1 : 1;
    const after = Number(searchParams.get('updated_after'));
    const timeOf = ({ created_on, updated_on = created_on }: ListRow) =>
      direction * Number(this.#by === 'created_on' ? created_on : updated_on);
    const changed = (row: ListRow) => ({ ...row, updated_on: row.updated_on ?? row.created_on });
    const sorted = this.rows
      .map(changed)
      .filter(({ updated_on }) => Number(updated_on) > after)
      .toSorted((a, b) => timeOf(a) - timeOf(b) || (this.#by === 'created_on' ? rankOf(a) - rankOf(b) : 0));
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
