/** One line of what a scraper reads. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Reads `/metrics` of a gateway. Throws on a line that is not in the text format. */
export async function scrape(gatewayUrl: string, prefix = 'gateway_'): Promise<Sample[]> {
  const response = await fetch(new URL('/metrics', gatewayUrl));
  const type = response.headers.get('content-type');
  if (response.status !== 200 || !type?.startsWith('text/plain; version=0.0.4')) {
    throw new Error(`A scrape was answered ${response.status} ${type}: ${await response.text()}`);
  }
  return samplesOf(await response.text()).filter(({ name }) => name.startsWith(prefix));
}

export const samplesOf = (text: string): Sample[] => text.split('\n').flatMap(samplesIn);

const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{((?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)$/;

function samplesIn(line: string): Sample[] {
  if (line === '' || line.startsWith('# HELP ') || line.startsWith('# TYPE ')) return [];
  const [, name = '', labels = '', value = ''] = sampleLine.exec(line) ?? [];
  if (name === '' || (Number.isNaN(Number(value)) && !/^nan$/i.test(value)))
    throw new Error(`No line of metrics: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text]);
  return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
}

/** Drift as lines like `getFarmer entity_card.card.card_id missing`, with how often it was seen. */
export async function scrapeDrift(gatewayUrl: string): Promise<Record<string, number>> {
  const samples = await scrape(gatewayUrl, 'gateway_upstream_drift_total');
  const drift: Record<string, number> = {};
  for (const { labels, value } of samples) {
    const { endpoint, field, kind } = labels;
    const key = `${endpoint} ${field} ${kind}`;
    drift[key] = (drift[key] ?? 0) + value;
  }
  return drift;
}

/** The samples of one metric by the values of their labels, like `getFarmer by id 200`. */
export function valuesOf(samples: readonly Sample[], metric: string): Record<string, number> {
  return Object.fromEntries(
    samples
      .filter(({ name }) => name === `gateway_${metric}`)
      .map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  );
}
