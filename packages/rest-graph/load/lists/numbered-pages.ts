import { UpstreamError } from '@gateway/base';
import { hasTwins, type KnownList, type ListPage, pagesIn, type Range } from '@gateway/upstream';

/** A service may have smaller pages than was known, and its list may change between two of them. */
const mostAttempts = 4;

/**
 * Reads any range of a list whose service numbers its pages. Such a page begins at a multiple of its size. A service that gives
 * smaller pages than it is asked for moves all pages but the first. Therefore the first page must show that it takes a size.
 * `read`: reads a page, at a multiple of its size.
 */
export async function readByNumber(
  range: Range,
  known: KnownList,
  read: (page: Range) => Promise<ListPage>,
): Promise<ListPage> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const pages = pagesAround(range, known.pageSize(Number.POSITIVE_INFINITY));
    const { limit } = pages[0] as Range;
    const isPlaced = known.takesPages(limit) || pages.every(({ offset }) => offset === 0);
    const asked = isPlaced ? pages : [{ offset: 0, limit }];
    const answers = await Promise.all(asked.map((page) => readOrEnd(page, read)));
    const [first] = answers;
    if (first && asked[0]?.offset === 0) known.learnFirstPage(limit, first);
    const found = joined(range, asked, answers);
    if (found) return found;
    if (isPlaced) known.doubtPages();
  }
  throw new UpstreamError('UPSTREAM_INVALID_RESPONSE', 'The list changes while the gateway reads it; ask again.');
}

/** The page that covers a range, with at most twice its rows, or else several pages. `largest`: rows of a page. */
export function pagesAround({ offset, limit }: Range, largest: number): Range[] {
  // Any page has the count.
  if (limit === 0) return [{ offset: 0, limit: 1 }];
  const end = offset + limit;
  for (let size = limit; size <= Math.min(largest, 2 * limit); size += 1) {
    const start = offset - (offset % size);
    if (start + size >= end) return [{ offset: start, limit: size }];
  }
  const size = Math.min(limit, largest);
  const start = offset - (offset % size);
  return pagesIn({ offset: start, limit: end - start }, size, Number.POSITIVE_INFINITY);
}

/** Some services answer 404 for a page after the last one. */
async function readOrEnd(page: Range, read: (page: Range) => Promise<ListPage>): Promise<ListPage> {
  try {
    return await read(page);
  } catch (error) {
    if (page.offset === 0 || !(error instanceof UpstreamError && error.status === 404)) throw error;
    const { count } = await read({ offset: 0, limit: page.limit });
    return { count, rows: [] };
  }
}

/** The rows of the range. Undefined where the pages lack some of them, or contradict each other. */
function joined({ offset, limit }: Range, asked: readonly Range[], answers: readonly ListPage[]): ListPage | undefined {
  const [{ count }, ...others] = answers as [ListPage, ...ListPage[]];
  if (others.some((answer) => answer.count !== count)) return undefined;
  const parts = answers.map(({ rows }, index) => rows.slice(0, asked[index]?.limit));
  const isShort = (rows: readonly unknown[], { offset, limit }: Range) => rows.length < Math.min(limit, count - offset);
  if (parts.some((rows, index) => isShort(rows, asked[index] as Range))) return undefined;
  const rows = parts.flat();
  const begin = offset - (asked[0]?.offset ?? 0);
  const needed = Math.min(limit, count - offset);
  if (rows.length < begin + needed || (parts.length > 1 && hasTwins(rows))) return undefined;
  return { count, rows: rows.slice(begin, begin + limit) };
}
