import { table } from '../docs/pages.ts';
import type { Gateway } from '../support/harness.ts';

/** The series of a scrape by name, each with its labels. `recorded`: the series of recording rules. */
export async function exportedMetrics(gateway: Gateway, recorded: readonly string[]): Promise<Map<string, string[]>> {
  const text = await (await fetch(new URL('/metrics', gateway.url))).text();
  const documented = new Map(table('docs/metrics.md', 'metric').map(([cell = '']) => nameAndLabels(cell)));
  const series = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) => {
    const labels = documented.get(name) ?? [];
    const one: [string, string[]] = [name, labels];
    return type === 'histogram'
      ? [
          ...['_sum', '_count'].map((end): typeof one => [name + end, labels]),
          [`${name}_bucket`, [...labels, 'le']] as typeof one,
        ]
      : [one];
  });
  return new Map([...series, ['up', []], ...recorded.map((name): [string, string[]] => [name, []])]);
}

function nameAndLabels(cell: string): [string, string[]] {
  const [, name = '', labels = ''] = /`(\w+)(?:\{([\w, ]+)\})?`/.exec(cell) ?? [];
  return [name, labels.split(', ').filter(Boolean)];
}

/** The names in an expression of PromQL that no scrape has: metrics, and labels in braces. */
export function missingFrom(metrics: ReadonlyMap<string, string[]>, expression: string): string[] {
  const inBraces = [...expression.matchAll(/([a-z_:][\w:]*)\{([^}]*)\}/g)];
  const labels = inBraces.flatMap(([, name = '', selectors = '']) =>
    [...selectors.replaceAll(/"[^"]*"/g, '').matchAll(/\w+/g)]
      .map(([label]) => label)
      .filter((label) => !ofScrape.has(label) && !metrics.get(name)?.includes(label))
      .map((label) => `${name}{${label}}`),
  );
  const names = expression.replaceAll(/"[^"]*"/g, '').matchAll(/\b(?:job:|gateway_|nodejs_|process_|up\b)[\w:]*/g);
  return [...labels, ...[...names].map(([name]) => name).filter((name) => !metrics.has(name))];
}

/** The labels that Prometheus itself gives. */
const ofScrape = new Set(['job', 'instance']);
