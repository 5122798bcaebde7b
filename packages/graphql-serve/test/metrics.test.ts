import { counter, histogram } from '@gateway/base';
import { expect, it } from 'vitest';
import { openMetrics } from '../watch/metrics.ts';

it('a scrape has counts by their labels, and a counter without labels from the start', async () => {
  const answers = counter('answers_total', 'Answers.', ['kind', 'status']);
  answers.inc({ kind: 'query', status: 200 });
  answers.inc({ status: 200, kind: 'query' }, 2);
  answers.inc({ kind: 'query', status: 404 });
  answers.inc({ kind: 'mutation', status: 200 }, 0);
  const drops = counter('drops_total', 'Drops.');

  const text = await openMetrics([answers, drops]).text();

  expect(linesOf(text, 'answers_total')).toEqual([
    '{kind="query",status="200"} 3',
    '{kind="query",status="404"} 1',
    '{kind="mutation",status="200"} 0',
  ]);
  expect(linesOf(text, 'drops_total')).toEqual([' 0']);
  expect(text).toContain('# HELP gateway_drops_total Drops.\n# TYPE gateway_drops_total counter\n');
});

it('a bucket of a histogram has the values up to its bound, and those of the smaller buckets', async () => {
  const seconds = histogram('wait_seconds', 'Waits.', ['kind'], [0.5, 1]);
  for (const value of [0.25, 0.5, 0.75, 8]) seconds.of({ kind: 'read' }).observe(value);

  const text = await openMetrics([seconds]).text();

  expect(linesOf(text, 'wait_seconds')).toEqual([
    '_bucket{le="0.5",kind="read"} 2',
    '_bucket{le="1",kind="read"} 3',
    '_bucket{le="+Inf",kind="read"} 4',
    '_sum{kind="read"} 9.5',
    '_count{kind="read"} 4',
  ]);
});

function linesOf(text: string, metric: string): string[] {
  const name = `gateway_${metric}`;
  return text.split('\n').flatMap((line) => (line.startsWith(name) ? [line.slice(name.length)] : []));
}
