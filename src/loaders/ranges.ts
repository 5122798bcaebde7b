import { listName, type Page, type RowsRequest } from './pages.ts';

interface Span {
  offset: number;
  end: number;
  members: RowsRequest[];
}

/**
 * Reads ranges of lists. Those of one list that overlap or adjoin are read as one: that takes no row more and often a
 * call less. A list's count alone is left to last, so that it can be had from a page that is read for its rows.
 */
export function rangesTogether(
  requests: readonly RowsRequest[],
  read: (request: RowsRequest) => Promise<Page>,
): Promise<Page>[] {
  const pages = new Map<RowsRequest, Promise<Page>>();
  for (const span of spansOf(requests)) for (const [member, page] of readSpan(span, read)) pages.set(member, page);
  return requests.map((request) => pages.get(request) ?? read(request));
}

function spansOf(requests: readonly RowsRequest[]): Span[] {
  const spans: Span[] = [];
  const withRows = requests.filter(({ limit }) => limit > 0);
  for (const members of Object.values(Object.groupBy(withRows, listName))) {
    let span: Span | undefined;
    for (const member of members?.toSorted((a, b) => a.offset - b.offset) ?? []) {
      const end = member.offset + member.limit;
      if (span && member.offset <= span.end) {
        span.members.push(member);
        span.end = Math.max(span.end, end);
      } else {
        span = { offset: member.offset, end, members: [member] };
        spans.push(span);
      }
    }
  }
  return spans;
}

function readSpan(
  { offset, end, members }: Span,
  read: (request: RowsRequest) => Promise<Page>,
): [RowsRequest, Promise<Page>][] {
  const [first] = members as [RowsRequest];
  if (members.length === 1) return [[first, read(first)]];
  const fields = () => members.flatMap(({ reason }) => reason.fields());
  const whole = read({ ...first, offset, limit: end - offset, reason: { rung: first.reason.rung, fields } });
  return members.map((member) => {
    const start = member.offset - offset;
    const own = whole.then(
      ({ count, rows }) => ({ count, rows: rows.slice(start, start + member.limit) }),
      // A row that the service cannot show must not take the rows of its neighbour with it.
      () => read(member),
    );
    return [member, own];
  });
}
