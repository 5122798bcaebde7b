import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { ExportCounts } from '../export-counts.ts';
import { watchExports } from '../export-watch.ts';

test('an exporter that throws has failed, so that its spans count as dropped', async () => {
  const counts = new ExportCounts();
  const failure = new Error('not serializable');
  const exporter = {
    export(_spans: unknown, _done: (result: { code: number }) => void): void {
      throw failure;
    },
  };
  const done = vi.fn();
  watchExports(exporter, 'traces', { counts, logger: pino({ level: 'silent' }) }).export([], done);
  expect(done.mock.calls).toEqual([[{ code: 1, error: failure }]]);
  const { values } = await counts.exports.get();
  expect(values).toMatchObject([{ labels: { signal: 'traces', outcome: 'failed' }, value: 1 }]);
});
