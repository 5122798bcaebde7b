import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Gateway } from '../../../packages/graphql-serve/serve.ts';
import { createLogger } from '../../../packages/graphql-serve/watch/logger.ts';
import { traceability } from '../../../src/app.ts';
import { startGateway } from '../../../src/compose.ts';
import { put } from '../../../src/config/places.ts';
import { readTelemetry } from '../../../src/config.ts';
import { startFakeUpstream } from '../../support/fake-upstream.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { configOf } from '../../support/settings.ts';
import { type CanaryRequest, operations, refusals, usualHeaders } from './requests.ts';
import { faults, startCanaryService, startQuotingRedis } from './service.ts';
import { type Canary, canaries, canariesIn, type Finding, host } from './values.ts';

export interface Hunt {
  errorAnswers: number;
  /** How often each code was answered. */
  codes: Record<string, number>;
  logLines: string[];
  found: Finding[];
  /** Exported by OpenTelemetry. */
  exportedBytes: number;
}

const settings = {
  PORT: '0',
  LOG_LEVEL: 'trace',
  'upstream.timeouts.readMs': '100',
  'upstream.timeouts.writeMs': '100',
  'upstream.timeouts.uploadIdleMs': '100',
  'retries.baseMs': '1',
  'retries.max': '1',
  // A write that was lost may be asked for again.
  IDEMPOTENCY_FILE: ':memory:',
  'limits.clients.bodyBytes': '10000',
  'limits.uploads.fileBytes': '10000',
  'limits.operations.upstreamCalls': '5',
};

/** A setting that throws when it is read: an unforeseen fault, whose error quotes all its values. */
const fault = (): number => {
  const bomb = { valueOf: () => Object.assign(fail(), { input: canaries.email }) };
  return bomb as unknown as number;
};

function fail(): never {
  const { key, email, name, fileName } = canaries;
  const cause = Object.assign(new Error(`connect ECONNREFUSED ${host}:80`), { address: host, headers: { key } });
  throw Object.assign(new TypeError(`${key} ${email} ${name}\n    at ${fileName} (/${email}:1:1)`, { cause }), { key });
}

/**
 * Makes a gateway fail in every known way, with marked values in requests and in answers of the service.
 * Looks for these values in the answers, the log and the metrics. `every`: 3 tries every third failure of the service for
 * each operation.
 */
export async function huntCanaries(every: number): Promise<Hunt> {
  const hunt: Hunt = { errorAnswers: 0, codes: {}, logLines: [], found: [], exportedBytes: 0 };
  const folder = mkdtempSync(join(tmpdir(), 'canaries-'));
  const service = await startCanaryService();
  const redis = await startQuotingRedis();
  const collector = await startFakeUpstream({ respond: () => ({ body: '' }) });
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  const file = join(folder, 'idempotency.db');
  const withGateway = async (
    options: { url?: string; settings?: Record<string, string>; faultAt?: string },
    use: (gateway: Gateway) => Promise<void>,
  ) => {
    const logger = createLogger(
      { level: 'trace' },
      { write: (line) => void hunt.logLines.push(line) },
      'authorization',
    );
    const config = configOf({ ...settings, ...options.settings });
    if (options.faultAt) put(config, options.faultAt, fault());
    const gateway = await startGateway(traceability, {
      config,
      upstreamUrl: options.url ?? service.url,
      telemetry: readTelemetry(),
      logger,
    });
    await use(gateway);
    const metrics = await fetch(new URL('/metrics', gateway.url));
    hunt.found.push(...canariesIn('metrics', await metrics.text()));
    await gateway.close();
  };
  const askAll = async ({ url }: Gateway, requests: readonly CanaryRequest[], what = '') => {
    for (const request of requests) await ask(hunt, url, request, what);
  };

  await withGateway({}, async (gateway) => {
    let turn = 0;
    for (const operation of operations) {
      for (const fault of faults) {
        turn += 1;
        if (turn % every !== 0) continue;
        service.set(fault, operation.succeeds);
        await ask(hunt, gateway.url, operation, `, answered by ${fault.name}`);
      }
    }
    service.set(
      { name: 'what is no row', status: 200, body: '{"count":0,"results":[]}' },
      /(?:farmers|product-transactions)\/$/,
    );
    await askAll(gateway, [...operations, ...refusals]);
    for (const text of [`${canaries.key}\r\n\r\n`, `GET / HTTP/1.1\r\nA: ${canaries.key.repeat(2_000)}\r\n\r\n`]) {
      const answer = await sendRaw(gateway.url, text);
      note(hunt, 'what is no HTTP', `${JSON.stringify(answer?.headers)} ${answer?.body}`);
    }
  });
  const writes = operations.filter(({ headers }) => headers?.['idempotency-key']);
  await withGateway({ url: `http://${host}:1/v1` }, (gateway) =>
    askAll(gateway, operations, ', where nothing listens'),
  );
  await withGateway({ url: `http://${canaries.unknownHost}/v1` }, (gateway) =>
    askAll(gateway, operations, ', elsewhere'),
  );
  await withGateway({ url: service.url.replace('http', 'https') }, (gateway) =>
    askAll(gateway, operations, ', by TLS'),
  );
  await withGateway({ settings: { IDEMPOTENCY_FILE: file } }, (gateway) => {
    const database = new DatabaseSync(file);
    database.exec('DROP TABLE write');
    database.close();
    return askAll(gateway, writes, ', with a broken store');
  });
  const redisUrl = `redis://:${canaries.redisPassword}@${host}:${redis.port}`;
  await withGateway({ settings: { REDIS_URL: redisUrl } }, (gateway) =>
    askAll(gateway, writes, ', with a broken Redis'),
  );
  for (const name of [
    'limits.clients.bodyBytes',
    'limits.operations.pageSize',
    'limits.operations.upstreamCalls',
    'limits.operations.objects',
    'limits.uploads.fileBytes',
  ]) {
    await withGateway({ faultAt: name }, (gateway) => askAll(gateway, operations, `, where ${name} fails`));
  }

  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  for (const { body } of collector.requests) {
    hunt.exportedBytes += body.length;
    // Spans name the service, as the conventions of OpenTelemetry ask for.
    const ofService: Canary[] = ['host', 'unknownHost'];
    hunt.found.push(...canariesIn('export', body).filter(({ canary }) => !ofService.includes(canary)));
  }
  await collector.close();
  for (const line of hunt.logLines) hunt.found.push(...canariesIn('log', line));
  await service.close();
  redis.close();
  rmSync(folder, { recursive: true });
  return hunt;
}

async function ask(hunt: Hunt, url: string, request: CanaryRequest, what: string): Promise<void> {
  const { name, method = 'POST', path, search = '', headers, body, own } = request;
  const all = Object.entries({ ...usualHeaders, ...headers });
  const response = await fetch(path === undefined ? url + search : new URL(path, url), {
    method,
    headers: all.filter((header): header is [string, string] => header[1] !== null),
    ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
  const text = await response.text();
  note(hunt, `${name}${what}`, `${JSON.stringify([...response.headers])} ${withoutData(text)}`, own);
  const codes = [...text.matchAll(/"code":"([A-Z_]+)"/g)].map(([, code = '']) => code);
  if (codes.length > 0 || !response.ok) hunt.errorAnswers += 1;
  for (const code of new Set(codes)) hunt.codes[code] = (hunt.codes[code] ?? 0) + 1;
}

/** Data is what the service gives to be shown. */
function withoutData(text: string): string {
  return text.startsWith('{') ? JSON.stringify({ ...JSON.parse(text), data: undefined }) : text;
}

function note(hunt: Hunt, where: string, text: string, own?: Canary[]): void {
  hunt.found.push(...canariesIn(where, text, own));
}
