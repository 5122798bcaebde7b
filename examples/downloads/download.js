/** Times that a download goes on after a cut without a new row in between. */
const maxCuts = 5;

/** The gateway refuses the operation, so that another try is of no use. */
export class Refused extends Error {}

/**
 * Downloads a list as JSON Lines, and goes on after a cut. The query has a variable `$after`, which is the `after` of its list.
 * Yields `{ rows, total }` as rows come; the last value also has `lines`, one of JSON for each row.
 * Throws `Refused` for a query that cannot run, and the error of `fetch` once `signal` is aborted.
 */
export async function* download(url, { query, headers = {}, signal }) {
  const lines = [];
  let after = null;
  let total;
  for (let cuts = 0; cuts <= maxCuts; cuts += 1) {
    if (cuts > 0) await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** cuts));
    let window = [];
    try {
      for await (const line of linesFrom(url, { query, after, headers, signal, onTotal: (rows) => (total ??= rows) })) {
        const { $cursor, $end } = JSON.parse(line);
        if ($end?.complete) return yield { rows: lines.length, total: lines.length, lines };
        // Without an error, rows have moved while they were read.
        if ($end) throw $end.error?.extensions.retryable ? new Error($end.error.message) : new Refused(reason($end));
        if ($cursor === undefined) {
          window.push(line);
          if (window.length % 50 === 1) yield { rows: lines.length + window.length, total };
          continue;
        }
        lines.push(...window);
        window = [];
        after = $cursor;
        cuts = 0;
        yield { rows: lines.length, total };
      }
    } catch (error) {
      if (error instanceof Refused || signal?.aborted) throw error;
    }
  }
  throw new Error(`The connection breaks off again and again after ${lines.length} rows.`);
}

function reason({ error }) {
  return error?.message ?? 'Rows have moved while they were read: download the list anew.';
}

/** The lines of one answer, the last of which may be missing. */
async function* linesFrom(url, { query, after, headers, signal, onTotal }) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/jsonl' },
    body: JSON.stringify({ query, variables: { after } }),
    signal,
  });
  if (!response.headers.get('content-type')?.startsWith('application/jsonl')) {
    const { errors } = await response.json();
    const { message, extensions } = errors[0];
    throw extensions.retryable ? new Error(message) : new Refused(message);
  }
  onTotal(Number(response.headers.get('x-total-count')));
  let text = '';
  for await (const piece of piecesOf(response.body.pipeThrough(new TextDecoderStream()))) {
    text += piece;
    const whole = text.split('\n');
    text = whole.pop();
    yield* whole;
  }
}

/** Not all browsers iterate over a stream. */
async function* piecesOf(stream) {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
