import { madeOnce, UpstreamError } from '@gateway/base';
import { type ListPage, pageSize, type Range } from '@gateway/upstream';
import type { Filters } from './filters.ts';

/** The answers of a list without pages. One request reads each once, and every range is a part of it. */
export class UnpagedAnswers {
  readonly #answers = new Map<string, Promise<ListPage>>();

  /** @throws UpstreamError for an answer that lacks rows, which shows that the service has pages. */
  async range(
    { offset, limit }: Range,
    { query, isFresh = false }: { query: Filters; isFresh?: boolean | undefined },
    read: (range: Range) => Promise<ListPage>,
  ): Promise<ListPage> {
    const name = JSON.stringify(query);
    if (isFresh) this.#answers.delete(name);
    const { count, rows } = await madeOnce(this.#answers, name, () => read({ offset: 0, limit: pageSize }));
    if (rows.length >= count) return { count, rows: rows.slice(offset, offset + limit) };
    const message = `The service gives ${rows.length} of ${count} rows, and the contract has no parameters of pages for this list.`;
    throw new UpstreamError('UPSTREAM_INVALID_RESPONSE', message);
  }
}
