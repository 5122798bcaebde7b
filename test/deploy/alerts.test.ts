import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { anchorsOf, readPage } from '../docs/pages.ts';
import { startGateway } from '../support/harness.ts';
import { exportedMetrics, missingFrom } from './exported-metrics.ts';

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  labels?: { severity: string };
  annotations?: Record<string, string>;
}

const folder = new URL('../../deploy/prometheus/', import.meta.url);
const readYaml = (name: string) => parse(readFileSync(new URL(name, folder), 'utf8'));
const rules: Rule[] = readYaml('rules.yml').groups.flatMap((group: { rules: Rule[] }) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);

test('the rules name metrics and labels of a scrape', async () => {
  await using gateway = await startGateway();
  const recorded = rules.flatMap(({ record }) => record ?? []);
  const metrics = await exportedMetrics(gateway, recorded);

  expect(missingFrom(metrics, 'gateway_nothing_total{job="a"} + gateway_workers{of="b"}')).toEqual([
    'gateway_workers{of}',
    'gateway_nothing_total',
  ]);
  expect(rules.flatMap(({ expr }) => missingFrom(metrics, expr))).toEqual([]);
});

test.each(alerts)('$alert says how urgent it is, and links its section of the runbook', ({ labels, annotations }) => {
  expect(['page', 'ticket']).toContain(labels?.severity);
  expect(Object.keys(annotations ?? {})).toEqual(['summary', 'description', 'runbook_url']);
  const [page = '', anchor = ''] = annotations!.runbook_url!.split('#');
  expect(anchorsOf(readPage(page))).toContain(anchor);
});

test('deploy/prometheus/README.md names each alert', () => {
  const { text } = readPage('deploy/prometheus/README.md');

  expect(alerts.map(({ alert }) => alert).filter((alert) => !text.includes(`\`${alert}\``))).toEqual([]);
});

test('each alert has a test in which it fires, and one in which it does not', () => {
  const cases: { alertname: string; exp_alerts?: unknown[] }[] = readYaml('rules.test.yml').tests.flatMap(
    (each: { alert_rule_test: unknown[] }) => each.alert_rule_test,
  );
  const namesOf = (isFiring: boolean) =>
    new Set(
      cases.filter(({ exp_alerts }) => (exp_alerts !== undefined) === isFiring).map(({ alertname }) => alertname),
    );

  const names = new Set(alerts.map(({ alert }) => alert));
  expect(namesOf(true)).toEqual(names);
  expect(namesOf(false)).toEqual(names);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool) console.warn('The rules are not run: promtool is not installed.');

test.skipIf(!hasPromtool).each([
  ['check', 'config', 'prometheus.yml'],
  ['test', 'rules', 'rules.test.yml'],
])('promtool %s %s %s finds no fault', (...command) => {
  expect(execFileSync('promtool', command, { cwd: folder, encoding: 'utf8' })).not.toMatch(/FAILED/);
});
