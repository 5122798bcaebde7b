import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startGateway } from '../support/harness.ts';
import { exportedMetrics, missingFrom } from './exported-metrics.ts';
import { typeErrors } from './typed-literal.ts';

interface Panel {
  title: string;
  type: string;
  fieldConfig?: { defaults: { unit: string; custom?: object } };
  targets?: { expr: string }[];
}

const file = new URL('../../deploy/grafana/dashboard.json', import.meta.url);
const dashboard: { panels: Panel[]; templating: { list: { query: string | { query: string } }[] } } = JSON.parse(
  readFileSync(file, 'utf8'),
);
const panels = dashboard.panels.filter(({ type }) => type !== 'row');

test('the dashboard asks for metrics and labels of a scrape', async () => {
  await using gateway = await startGateway({ settings: { MEDIA_PROXY: 'true', MEDIA_URL: 'https://gateway.example' } });
  const metrics = await exportedMetrics(gateway, []);
  const variables = dashboard.templating.list.map(({ query }) => (typeof query === 'string' ? query : query.query));
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

  expect(queries.length).toBeGreaterThan(panels.length);
  expect([...variables, ...queries].flatMap((query) => missingFrom(metrics, query))).toEqual([]);
});

test('a panel has the unit of its metrics', () => {
  const wrong = panels.filter(({ fieldConfig, targets = [] }) => {
    const unit = fieldConfig?.defaults.unit ?? '';
    const [{ expr } = { expr: '' }] = targets;
    if (/ \/ |cpu_seconds/.test(expr)) return unit !== 'percentunit' && unit !== 'short';
    if (/_bytes/.test(expr)) return unit !== (/rate\(/.test(expr) ? 'Bps' : 'bytes');
    if (/_seconds/.test(expr)) return unit !== 's';
    return unit !== (/rate\(/.test(expr) ? (/operations|broadcasts/.test(expr) ? 'ops' : 'reqps') : 'none');
  });

  expect(wrong.map(({ title }) => title)).toEqual([]);
});

const hasTypes = existsSync(new URL('node_modules/@grafana/schema', import.meta.url));
if (!hasTypes) console.warn('The dashboard is not held to the types of Grafana: run npm ci in test/deploy.');

test.skipIf(!hasTypes)('the dashboard fits the types of Grafana', () => {
  const types = './node_modules/@grafana/schema/dist/types/raw';
  // JSON has the texts of enums.
  const imports = `
    import type { Dashboard, Panel, RowPanel } from '${types}/dashboard/x/types.gen.js';
    import type { FieldConfig, Options as TimeSeries } from '${types}/composable/timeseries/panelcfg/x/types.gen.js';
    import type { Options as Stat } from '${types}/composable/stat/panelcfg/x/types.gen.js';
    type Json<T> = T extends string ? \`\${T}\` : T extends object ? { [Key in keyof T]: Json<T[Key]> } : T;
    type With<Options> = Omit<Panel, 'options'> & { options: Options };`;
  const typeOf: Record<string, string> = { row: 'RowPanel', timeseries: 'With<TimeSeries>', stat: 'With<Stat>' };
  const { panels: all, ...rest } = dashboard;
  const literals = [
    { type: 'Json<Dashboard>', value: rest },
    ...all.map((panel) => ({ type: `Json<${typeOf[panel.type]}>`, value: panel })),
    ...all.flatMap(({ fieldConfig }) => ({
      type: 'Json<FieldConfig | undefined>',
      value: fieldConfig?.defaults.custom,
    })),
  ];
  const wrong = { type: 'Json<Panel>', value: { type: 'stat', titel: 'A' } };

  expect(typeErrors(imports, [...literals, wrong])).toEqual([expect.stringContaining('titel')]);
});
