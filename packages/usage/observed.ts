import { text } from 'node:stream/consumers';
import { readMetrics, type Sample, samplesOf } from '@gateway/base';

/** The uses of one element by one client in one trusted document. */
export interface Use {
  element: string;
  client: string;
  document: string;
  count: number;
  lastUsed: Date;
}

/** The uses that running gateways have counted. */
export interface Observed {
  /** Where they were read, without keys. */
  from: string;
  /** The time since which a deprecated element has been counted in all gateways. */
  since: ReadonlyMap<string, Date>;
  uses: readonly Use[];
}

const names = {
  uses: 'gateway_element_uses_total',
  lastUsed: 'gateway_element_last_used_timestamp_seconds',
  since: 'gateway_element_counted_since_timestamp_seconds',
};

/**
 * The counts of the gateways whose metrics are at a URL or in a file. `-` stands for the standard input.
 * Rejects with an error that names the place, where there are none.
 */
export async function readObserved(from: string): Promise<Observed> {
  const metrics = from === '-' ? await text(process.stdin) : await readMetrics(from);
  const since = samplesOf(metrics, names.since);
  if (since.length === 0) throw new Error(`${from}: There is no metric ${names.since}.`);
  return observed(from, samplesOf(metrics, names.uses), samplesOf(metrics, names.lastUsed), since);
}

/** The time that a query of Prometheus looks back. */
const lookBack = '60d';
const labels = 'element, client, document';

/** The counts that a Prometheus server has scraped. Gateways may have ended since. Rejects as `readObserved` does. */
export async function readPrometheus(url: string): Promise<Observed> {
  const [uses, lastUsed, since] = await Promise.all([
    query(url, `sum by (${labels}) (max_over_time(${names.uses}[${lookBack}]))`),
    query(url, `max by (${labels}) (max_over_time(${names.lastUsed}[${lookBack}]))`),
    // A gateway counts from its start, and Prometheus knows what it has scraped since.
    query(url, `min by (element) (min_over_time(timestamp(${names.since})[${lookBack}:5m]))`),
  ]);
  return observed(url, uses, lastUsed, since);
}

async function query(server: string, promql: string): Promise<Sample[]> {
  const url = new URL('api/v1/query', server.endsWith('/') ? server : `${server}/`);
  url.searchParams.set('query', promql);
  const response = await fetch(url).catch((error: Error) => {
    throw new Error(`${server}: ${(error.cause as Error | undefined)?.message ?? error.message}`);
  });
  const answer = (await response.json().catch(() => ({}))) as PrometheusAnswer;
  if (!answer.data)
    throw new Error(`${server}: Prometheus answered ${response.status} ${answer.error ?? ''}`.trimEnd());
  return answer.data.result.map(({ metric, value: [, value] }) => ({ labels: metric, value: Number(value) }));
}

/** An answer of the query API, with a vector. */
interface PrometheusAnswer {
  data?: { result: { metric: Record<string, string>; value: [number, string] }[] };
  error?: string;
}

function observed(
  from: string,
  uses: readonly Sample[],
  lastUsed: readonly Sample[],
  since: readonly Sample[],
): Observed {
  const counts = new Map<string, number>();
  for (const { labels, value } of uses) counts.set(keyOf(labels), (counts.get(keyOf(labels)) ?? 0) + value);
  const latest = new Map<string, Use>();
  for (const { labels, value } of lastUsed) {
    const { element = '', client = '', document = '' } = labels;
    const key = keyOf(labels);
    const date = new Date(value * 1000);
    const before = latest.get(key);
    if (before && before.lastUsed > date) continue;
    latest.set(key, { element, client, document, count: counts.get(key) ?? 0, lastUsed: date });
  }
  const begins = new Map<string, Date>();
  for (const { labels, value } of since) {
    const { element = '' } = labels;
    // Where several gateways are in one text, the youngest has seen the least.
    begins.set(element, new Date(Math.max(value * 1000, begins.get(element)?.getTime() ?? 0)));
  }
  return { from: withoutKeys(from), since: begins, uses: [...latest.values()] };
}

const keyOf = ({ element, client, document }: Sample['labels']) => `${element} ${client} ${document}`;

function withoutKeys(from: string): string {
  if (!URL.canParse(from)) return from;
  const { origin, pathname, protocol } = new URL(from);
  return protocol.startsWith('http') ? origin + pathname : from;
}
