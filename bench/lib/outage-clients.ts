import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from './statistics.ts';

/** One question and what became of it; times are milliseconds of performance.now(). */
export interface Asked {
  at: number;
  answered: number;
  isRight: boolean;
  /** Code of the first error, or the reason why there is no answer. */
  code: string | undefined;
}

export interface Clients {
  asked: Asked[];
  /** The requests after a moment. */
  since(moment: number): Asked[];
  stop(): Promise<void>;
}

/** Each client sends a request, waits for the answer, pauses and repeats, each time as another caller. */
export function startClients(url: string, documents: string[], { count = 50, pause = 20 } = {}): Clients {
  const asked: Asked[] = [];
  let isOver = false;
  let serial = 0;

  async function ask(): Promise<void> {
    const query = documents[serial % documents.length]!;
    const at = performance.now();
    const code = await codeOf(url, query, `Bearer client-${serial++}`);
    asked.push({ at, answered: performance.now(), isRight: code === undefined, code });
  }
  async function askUntilOver(index: number): Promise<void> {
    await sleep((index * pause) / count);
    while (!isOver) {
      await ask();
      await sleep(pause);
    }
  }

  const all = Array.from({ length: count }, (_, index) => askUntilOver(index));
  return {
    asked,
    since: (moment) => asked.filter(({ at }) => at >= moment),
    async stop() {
      isOver = true;
      await Promise.all(all);
    },
  };
}

async function codeOf(url: string, query: string, authorization: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify({ query }),
      signal: AbortSignal.timeout(60_000),
    });
    const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
    return errors?.[0]?.extensions.code ?? (response.status === 200 ? undefined : `HTTP ${response.status}`);
  } catch (error) {
    return String(error);
  }
}

/** Milliseconds that answers took: the longest, and the middle one. */
export function waits(asked: readonly Asked[]): { longest: number; middle: number } {
  const sorted = asked.map(({ at, answered }) => answered - at).toSorted((a, b) => a - b);
  return { longest: sorted.at(-1) ?? Number.NaN, middle: quantile(sorted, 0.5) };
}

/** The number of answers with each code, as text. */
export function codes(asked: readonly Asked[]): string {
  const counts = Object.entries(Object.groupBy(asked, ({ code = 'right' }) => code));
  return counts.map(([code, { length = 0 } = []]) => `${length} ${code}`).join(', ');
}
