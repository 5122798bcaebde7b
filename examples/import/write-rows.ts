import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from './check.ts';
import type { Gateway } from './gateway.ts';
import type { Row } from './rows.ts';

interface Result {
  line: number;
  status: 'DONE' | 'REPLAYED' | 'REFUSED' | 'UNKNOWN' | 'NOT_TRIED';
  error?: { message: string; retryable: boolean; fields?: { path: string[]; message: string }[] };
}

/** Lines of one request, which has to end within the time of an upload. */
const requestRows = 1_000;
/** Requests in a row without a result. */
const maxCuts = 5;

/** Writes rows by `POST /push`, and goes on after a cut under the same keys. Rows that are not written get their `reason`. */
export async function writeRows(
  rows: readonly Row[],
  gateway: Gateway,
  onWritten: (rows: number) => void,
): Promise<void> {
  let left = [...rows];
  for (let cuts = 0; left.length > 0; ) {
    const sent = left.slice(0, requestRows);
    const settled = new Set<Row>();
    try {
      for await (const { line, status, error } of resultsOf(sent, gateway)) {
        const row = sent[line - 1] as Row;
        if ((status === 'NOT_TRIED' || status === 'UNKNOWN') && error?.retryable) continue;
        if (status !== 'DONE' && status !== 'REPLAYED') row.reason = (error && reasonOf([error])) ?? status;
        settled.add(row);
        onWritten(rows.length - left.length + settled.size);
      }
    } catch (error) {
      if (cuts === maxCuts) throw error;
    }
    left = left.filter((row) => !settled.has(row));
    cuts = settled.size > 0 ? 0 : cuts + 1;
    if (cuts > maxCuts) throw new Error(`${left.length} rows are not written. Start the import again to go on.`);
    if (cuts > 0) await pause(1_000 * 2 ** cuts);
  }
}

async function* resultsOf(rows: readonly Row[], { url, key }: Gateway): AsyncGenerator<Result> {
  const lines = rows.map((row) => `${JSON.stringify({ key: row.key, write: { createFarmer: row.input } })}\n`);
  const response = await fetch(new URL('/push', url), {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/jsonl' },
    body: lines.join(''),
  });
  if (!response.ok || !response.body) throw new Error(await response.text());
  let text = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const whole = (text + piece).split('\n');
    text = whole.pop() ?? '';
    for (const line of whole.map((each) => JSON.parse(each))) if (line.line !== undefined) yield line;
  }
}
