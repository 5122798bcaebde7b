import { readFile } from 'node:fs/promises';

export interface Sample {
  labels: Readonly<Record<string, string>>;
  value: number;
}

/**
 * The text of metrics.
 * @param from The URL of a gateway's metrics, or a file with their text.
 * @throws Error that names the place, where nothing can be read there.
 */
export async function readMetrics(from: string): Promise<string> {
  if (!/^https?:/.test(from)) return readFile(from, 'utf8');
  const response = await fetch(from).catch((error: Error) => {
    throw new Error(`${from}: ${(error.cause as Error | undefined)?.message ?? error.message}`);
  });
  if (!response.ok) throw new Error(`${from}: The gateway answered ${response.status}.`);
  return response.text();
}

/** The samples of one metric in the text format of Prometheus. No label of the gateway has a quote in its value. */
export function samplesOf(text: string, metric: string): Sample[] {
  const lines = text.matchAll(new RegExp(`^${metric}(?:\\{(.*)\\})? (\\S+)`, 'gm'));
  return [...lines].map(([, labels = '', value]) => ({
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', text = '']) => [name, text]),
    ),
    value: Number(value),
  }));
}
