import { isTooLate, UpstreamError } from '../../upstream/errors.ts';
import type { ListPage, Range } from '../../upstream/list-page.ts';
import { pageSize } from '../../upstream/page-size.ts';
import type { AskedRange } from './list-reader.ts';
import type { PageRead } from './page-fit.ts';
import { readRange } from './range.ts';

/** Ranges of one list that are read as one. */
interface Span<R extends Range> extends Range {
  members: R[];
}

/** Joins ranges that overlap or adjoin, if that takes fewer pages. */
export function spansOf<R extends Range>(ranges: readonly R[]): Span<R>[] {
  const [only] = ranges;
  if (only && ranges.length === 1) return [{ offset: only.offset, limit: only.limit, members: [only] }];
  const spans: Span<R>[] = [];
  for (const range of ranges.toSorted((a, b) => a.offset - b.offset)) {
    const span = spans.at(-1);
    if (span && range.offset <= span.offset + span.limit) {
      span.members.push(range);
      span.limit = Math.max(span.limit, range.offset + range.limit - span.offset);
    } else {
      spans.push({ offset: range.offset, limit: range.limit, members: [range] });
    }
  }
  return spans.flatMap((span) => {
    const apart = span.members.map(({ offset, limit }, index) => ({
      offset,
      limit,
      members: [span.members[index] as R],
    }));
    return pagesOf(span) < apart.reduce((sum, member) => sum + pagesOf(member), 0) ? span : apart;
  });
}

/** The failure may come from one row alone, so that a smaller range may succeed. */
export function mayComeAlone(error: unknown): boolean {
  return (
    error instanceof UpstreamError && (error.code === 'UPSTREAM_ERROR' || error.code === 'UPSTREAM_INVALID_RESPONSE')
  );
}

/** Reads ranges as one. A range gets its rows even if a page of another range fails. */
export function readSpan({ members, ...range }: Span<AskedRange>): [AskedRange, Promise<ListPage>][] {
  const read = (asked: AskedRange) => readRange(asked.list, asked, asked);
  const readAlone = (member: AskedRange) => read(member).then((pages) => rowsIn(pages, member));
  const [first] = members as [AskedRange];
  if (members.length === 1) return [[first, readAlone(first)]];
  const fields = () => [...new Set(members.flatMap(({ origin }) => origin.fields()))];
  const whole = read({ ...first, ...range, origin: { ...first.origin, fields } });
  return members.map((member) => {
    const alone = (error: unknown) => {
      if (mayComeAlone(error)) return readAlone(member);
      throw error;
    };
    return [member, whole.then((pages) => rowsIn(pages, member)).catch(alone)];
  });
}

/**
 * The rows of a range. Ends early where a further page did not come in time.
 * @throws the error of another page; UpstreamError for fewer rows than the service announces.
 */
function rowsIn(reading: readonly PageRead[], { offset, limit }: Range): ListPage {
  const [only] = reading;
  if (only?.page && reading.length === 1 && only.offset === offset) {
    const { count, rows } = only.page;
    if (rows.length === Math.min(limit, count - offset)) return only.page;
  }
  // Rows can disappear while the gateway reads pages, and then they are not missing.
  const counts = reading.flatMap(({ page }) => page?.count ?? []);
  const count = Math.min(...counts);
  const whole = Math.min(offset + limit, count);
  const end = Math.min(whole, ...reading.map(inTimeUpTo).filter((place) => place > offset));
  const rows: unknown[] = [];
  const doubts: number[] = [];
  for (const { page, error, ...read } of reading) {
    if (read.offset >= end || read.offset + read.limit <= offset) continue;
    if (!page) throw error;
    if (page.cut && read.offset + page.rows.length <= offset) throw page.cut;
    rows.push(...page.rows.slice(Math.max(0, offset - read.offset), end - read.offset));
    for (const at of page.doubts ?? []) if (at >= offset && at < end) doubts.push(at);
  }
  const wanted = Math.max(0, end - offset);
  if (rows.length < wanted) {
    const message = `The service announces ${wanted} rows of this list, but gives only ${rows.length}.`;
    throw new UpstreamError('UPSTREAM_INVALID_RESPONSE', message);
  }
  const cut = end < whole ? cutAfter(rows.length, whole - offset) : undefined;
  return { count, rows, doubts, cut };
}

/** The place in the list of the first row of a page that did not come in time. */
function inTimeUpTo({ offset, page, error }: PageRead): number {
  if (page?.cut) return offset + page.rows.length;
  return isTooLate(error) ? offset : Number.POSITIVE_INFINITY;
}

function cutAfter(rows: number, wanted: number): UpstreamError {
  const message = `Only ${rows} of ${wanted} rows of this list came in time. Ask for fewer, or go on after them with \`next\`.`;
  return new UpstreamError('UPSTREAM_TIMEOUT', message);
}

function pagesOf({ limit }: Range): number {
  return Math.ceil(limit / pageSize);
}
