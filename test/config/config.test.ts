import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { withChanges } from '../../packages/base/with-changes.ts';
import { defaultSettings } from '../../packages/graphql-serve/settings.ts';
import { defaultOptions } from '../../packages/rest-graph/service.ts';
import { configurationPage } from '../../src/config/configuration-page.ts';
import { put } from '../../src/config/places.ts';
import { places } from '../../src/config/variables.ts';
import { readSettings, type Sources, settingsFrom } from '../../src/config.ts';
import { run, serve } from '../support/own-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const GiB = 2 ** 30;
const machine = { memoryBytes: 4 * GiB, cores: 4 };
const configOf = (yaml: string, environment: Record<string, string> = {}, more: Sources = {}) =>
  settingsFrom({ machine, environment, file: parse(yaml), ...more });
const mistakesOf = (yaml: string, environment: Record<string, string> = {}, more: Sources = {}): string[] => {
  try {
    configOf(yaml, environment, more);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n  ').slice(1);
  }
};

test('the defaults of the packages are those of this gateway, on a machine of ordinary size', () => {
  const { config } = configOf('');
  // This gateway keeps its records, and has a header of its own.
  const own = { idempotency: { file: ':memory:' }, upstream: { forwardHeaders: ['accept-language'] } };
  expect(withChanges(config, own)).toMatchObject(defaultSettings);
  const { limits, upstream, cache, retries, circuitBreaker } = config;
  const timeouts = { ...upstream.timeouts, queueMs: limits.operations.queueTimeoutMs };
  expect({
    limits: limits.operations,
    upstream: { ...upstream, timeouts, cache, retries, circuitBreaker },
  }).toMatchObject(defaultOptions);
});

describe('a variable', () => {
  test('has a default, and counts as absent when it is empty', () => {
    const { config } = configOf('', { PORT: '', LOG_LEVEL: 'warn' });
    expect(config).toMatchObject({ server: { port: 4000 }, log: { level: 'warn' }, upstream: { filters: {} } });
  });

  test('like FORWARD_HEADERS lists names in any case, and none when it is empty', () => {
    const headersOf = (environment: Record<string, string>) => configOf('', environment).config.upstream.forwardHeaders;
    expect(headersOf({})).toEqual(['accept-language', 'auth-type']);
    expect(headersOf({ FORWARD_HEADERS: '' })).toEqual([]);
    expect(headersOf({ FORWARD_HEADERS: 'X-A, x-b' })).toEqual(['x-a', 'x-b']);
  });

  test('like CALLER_CLAIMS lists paths of claims', () => {
    const claimsOf = (text: string) => configOf('', { CALLER_CLAIMS: text }).config.upstream.claims.caller;
    expect(claimsOf('user_id, session_data.entity_id')).toEqual(['user_id', 'session_data.entity_id']);
    expect(claimsOf('')).toEqual([]);
    for (const text of ['user_id,.entity_id', 'user id', 'a..b']) {
      expect(mistakesOf('', { CALLER_CLAIMS: text })).toEqual([
        expect.stringMatching(/^CALLER_CLAIMS: must be the path of a claim/),
      ]);
    }
  });

  test('overrides the file', () => {
    const { config, sources } = configOf('{ server: { port: 1, host: a } }', { PORT: '2' });
    expect(config.server).toMatchObject({ port: 2, host: 'a' });
    expect([sources.get('server.port'), sources.get('server.host')]).toEqual(['PORT', 'gateway.yaml']);
  });

  test('that resembles a setting is refused with the nearest name', () => {
    const environment = {
      MAX_ANSWER_BYTE: '7',
      UPSTREAM_URI: 'http://host/v1',
      UPSTREAM_TIMEOUT: '5000',
      FILTER_FARMERS_NAME: 'x',
      OTHER: '1',
    };
    expect(mistakesOf('', environment)).toEqual([
      'MAX_ANSWER_BYTE: there is no such setting; did you mean MAX_ANSWER_BYTES?',
      'UPSTREAM_URI: there is no such setting; did you mean UPSTREAM_URL?',
      'UPSTREAM_TIMEOUT: there is no such setting; docs/configuration.md lists them',
      'FILTER_FARMERS_NAME: there is no such setting; docs/configuration.md lists them',
    ]);
  });

  test.each([
    ['UPSTREM_URL', 'UPSTREAM_URL'],
    ['UPSTRAEM_URL', 'UPSTREAM_URL'],
    ['UPSTREAM_URl', 'UPSTREAM_URL'],
    ['upstream_url', 'UPSTREAM_URL'],
    ['UPSTREAMURL', 'UPSTREAM_URL'],
    ['UPSTREAM', 'UPSTREAM_URL'],
    ['GATEWAY_UPSTREAM_URL', 'UPSTREAM_URL'],
    ['GATEWAY_PORT', 'PORT'],
    ['port', 'PORT'],
    ['WORKER', 'WORKERS'],
    ['WROKERS', 'WORKERS'],
    ['SANBOX', 'SANDBOX'],
    ['REDIS_URI', 'REDIS_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
  ])('called %s is refused, because it resembles %s', (name, meant) => {
    expect(mistakesOf('', { [name]: 'x' })).toEqual([`${name}: there is no such setting; did you mean ${meant}?`]);
  });

  test.each([
    ...['UPSTREM_TIMEOUT', 'UPSTRAEM_TIMEOUT', 'SANDBX_SPEED', 'IDEMPOTENCE_TTL', 'PRODUCT_TRANSACTION_SORT'],
    ...['MAX_FILES', 'CORS_MAX_AGE'],
  ])('called %s is refused, because it begins like those of the gateway', (name) => {
    const advice = 'there is no such setting; docs/configuration.md lists them';
    expect(mistakesOf('', { [name]: 'x' })).toEqual([`${name}: ${advice}`]);
  });

  test.each([
    ['LIMITS_OPERATIONS_COST', 'limits.operations.cost'],
    ['GATEWAY_LIMITS_OPERATIONS_COST', 'limits.operations.cost'],
    ['limits.operations.cost', 'limits.operations.cost'],
    ['CACHE_LISTS_TTL_MS', 'cache.lists.ttlMs'],
    ['CACHE_LISTS_TTLMS', 'cache.lists.ttlMs'],
    ['UPSTREAM_TIMEOUTS_READ_MS', 'upstream.timeouts.readMs'],
  ])('called %s is refused, because %s stands in the file alone', (name, place) => {
    expect(mistakesOf('', { [name]: '5' })).toEqual([`${name}: no variable; set ${place} in gateway.yaml`]);
    expect(mistakesOf('', { [name]: '5' }, { fileName: 'my.yaml' })).toEqual([
      `${name}: no variable; set ${place} in my.yaml`,
    ]);
  });

  test('is accepted where it is for another program', () => {
    const names = [
      'HOME',
      'HOSTNAME',
      'POST',
      'PORTS',
      'LOGNAME',
      'BROKERS',
      'REDIS_HOST',
      'REDIS_TLS_URL',
      'ACCESS_KEY',
    ];
    names.push(
      'LIMITS_OPERATIONS',
      'LIMITS_OPERATIONS_COSTS',
      'CACHE_LISTS',
      'SERVER_PORT',
      'GATEWAY_URL',
      'GATEWAY_INTERFACE',
      'FORWARDED_ALLOW_IPS',
      'FORWARDER_URL',
      'FLUTTER_ROOT',
      'FILER_HOST',
      'MAX',
      'MIX_ENV',
      'CORE_URL',
      'COREPACK_HOME',
      'PRODUCT_NAME',
      'TRUSTED_PROXIES',
      'STREAM_TIMEOUT',
      'npm_config_cache',
      'NODE_ENV',
    );
    expect(mistakesOf('', Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
  });

  test('that Kubernetes sets for a Service is accepted, also in place of SANDBOX_PORT', () => {
    const ofService = (name: string) => ({
      [`${name}_SERVICE_HOST`]: '10.0.0.1',
      [`${name}_SERVICE_PORT`]: '80',
      [`${name}_SERVICE_PORT_HTTP`]: '80',
      [`${name}_PORT`]: 'tcp://10.0.0.1:80',
      [`${name}_PORT_80_TCP`]: 'tcp://10.0.0.1:80',
      [`${name}_PORT_80_TCP_PROTO`]: 'tcp',
      [`${name}_PORT_80_TCP_PORT`]: '80',
      [`${name}_PORT_80_TCP_ADDR`]: '10.0.0.1',
    });
    const environment = { ...ofService('UPSTREAM'), ...ofService('GATEWAY'), ...ofService('SANDBOX') };
    expect(mistakesOf('', environment)).toEqual([]);
    expect(mistakesOf('', { UPSTREAM_PORT: '8080' })).toHaveLength(1);
  });

  test.each([
    ...['UPSTREAM_URL', 'UPSTREAM_DIALECT', 'REDIS_URL', 'IDEMPOTENCY_FILE', 'TRUSTED_DOCUMENTS_MODE'],
    ...['INTROSPECTION', 'GRAPHIQL'],
  ])('called %s must not be empty', (name) => {
    expect(mistakesOf('', { [name]: '' })).toEqual([`${name}: must not be empty; give it a value, or unset it`]);
  });
});

describe('the service', () => {
  const mistakesAtStart = (environment: Record<string, string>, yaml = '') =>
    mistakesOf(yaml, environment, { needsService: true });
  const advice = 'set UPSTREAM_URL to the URL of the service, or SANDBOX=true for the sandbox';
  const url = 'http://host/v1';

  test('is the sandbox only where no setting speaks against it', () => {
    const production = { NODE_ENV: 'production' };
    const missing = (reason: string) => [`UPSTREAM_URL: is missing, and ${reason}; ${advice}`];
    expect(mistakesAtStart({})).toEqual([]);
    expect(mistakesAtStart({ SANDBOX: 'false' })).toEqual(missing('SANDBOX is false'));
    expect(mistakesAtStart(production)).toEqual(missing('NODE_ENV is production'));
    expect(mistakesAtStart({ ...production, SANDBOX: 'true' })).toEqual([]);
    expect(mistakesAtStart(production, 'sandbox: { embedded: true }')).toEqual([]);
    expect(mistakesAtStart({ ...production, UPSTREAM_URL: url })).toEqual([]);
    expect(mistakesAtStart(production, `upstream: { url: '${url}' }`)).toEqual([]);
  });

  test('is not both a real one and the sandbox', () => {
    expect(mistakesAtStart({ UPSTREAM_URL: url, SANDBOX: 'true' })).toEqual([
      'SANDBOX: must not be true beside UPSTREAM_URL; unset one of the two',
    ]);
  });

  test('has an URL where other variables speak of it', () => {
    const environment = { UPSTREAM_DIALECT: 'connect', UPSTREAM_LANGUAGE: 'en' };
    expect(mistakesAtStart(environment)).toEqual([
      `UPSTREAM_DIALECT: needs a service; ${advice}`,
      `UPSTREAM_LANGUAGE: needs a service; ${advice}`,
    ]);
    expect(mistakesAtStart({ ...environment, SANDBOX: 'true' })).toEqual([]);
    expect(mistakesAtStart({ ...environment, UPSTREAM_URL: url })).toEqual([]);
  });

  test('stops the start of a process in production, which SANDBOX=true allows', async () => {
    const refused = run({ NODE_ENV: 'production' });
    expect(await refused.exit).toBe(1);
    expect(refused.output()).toContain('UPSTREAM_URL: is missing, and NODE_ENV is production');
    const allowed = await serve({ NODE_ENV: 'production', SANDBOX: 'true' });
    expect((await allowed.post('{ __typename }')).status).toBe(200);
  });

  test('is not needed by the sandbox alone', () => {
    expect(() => readSettings({ NODE_ENV: 'production' }, { needsService: false })).not.toThrow();
  });
});

describe('mistakes in settings', () => {
  test('are all reported at once, each with its place', () => {
    const environment = { PORT: 'abc', MAX_ANSWER_BYTES: '0', UPSTREAM_URL: 'http://host/v1?x=1' };
    const file = '{ limits: { documents: { depth: ten } }, log: { access: loud }, graphql: 5 }';
    expect(mistakesOf(file, environment)).toEqual([
      'PORT: must be a number',
      'gateway.yaml: graphql: must be of the type object',
      'UPSTREAM_URL: must end with the version segment: no query, no fragment',
      'MAX_ANSWER_BYTES: must be a number of bytes, or a text such as 64MiB',
      'gateway.yaml: limits.documents.depth: must be a number',
      'gateway.yaml: log.access: must be one of "auto", "on", "off"',
    ]);
  });

  test.each(['  ', ' 5 ', '5 ', '0x10', '1e3', 'Infinity'])('refuse %j as a number', (text) => {
    expect(mistakesOf('', { PORT: text, MIN_UPLOAD_RATE: text, SANDBOX_WORKERS: text, MEMORY_LIMIT: text })).toEqual([
      'PORT: must be a number',
      'MEMORY_LIMIT: must be a number of bytes, or a text such as 64MiB',
      'MIN_UPLOAD_RATE: must be a number',
      'SANDBOX_WORKERS: must be a number',
    ]);
  });

  test.each(['127.0.0.1:6379', 'http://host:6379', 'redis:/host:6379', 'redis://host/main', 'redis://a:p%ss@host'])(
    'refuse %j as a URL of Redis',
    (REDIS_URL) => {
      expect(mistakesOf('', { REDIS_URL })).toEqual([expect.stringMatching(/^REDIS_URL: must be .*redis:\/\//)]);
    },
  );

  test.each(['redis://host', 'rediss://user:p%40ss@host:6379/0', 'redis://:pass@[::1]:6379/'])(
    'take %j as a URL of Redis',
    (REDIS_URL) => expect(mistakesOf('', { REDIS_URL })).toEqual([]),
  );

  test.each([
    ['1', {}],
    ['39MiB', {}],
    ['100MiB', { WORKERS: '3', IDEMPOTENCY_FILE: 'a.db' }],
  ])('refuse a MEMORY_LIMIT of %s, with which ordinary operations would be refused', (MEMORY_LIMIT, more) => {
    expect(mistakesOf('', { MEMORY_LIMIT, ...more })).toEqual([
      'MEMORY_LIMIT: must be at least 40 MiB for each worker: with less, ordinary operations and uploads are refused',
    ]);
  });

  test('say the bound of a number', () => {
    expect(mistakesOf('', { MAX_OPERATIONS_PER_CALLER: '0', ADMIN_PORT: '70000', WORKERS: '1.5' })).toEqual([
      'ADMIN_PORT: must be at most 65535',
      'WORKERS: must be a whole number',
      'MAX_OPERATIONS_PER_CALLER: must be above 0',
    ]);
  });

  test('refuse a text of blanks', () => {
    expect(mistakesOf('', { HOST: '  ' })).toEqual(['HOST: must not be blank']);
  });

  test('bound the workers by the cores', () => {
    expect(mistakesOf('server: { workers: 16 }')).toEqual([]);
    for (const WORKERS of ['17', '99999']) {
      expect(mistakesOf('', { WORKERS })).toEqual([
        'WORKERS: must be at most 16, 4 for each core here: more only share the cores and the memory',
      ]);
    }
  });

  test('bound every time', () => {
    const times = places.map(({ place }) => place).filter((place) => place.endsWith('Ms'));
    const file = {};
    for (const place of times) put(file, place, 31 * 24 * 3_600_000);
    expect(mistakesOf('', {}, { file })).toEqual(
      times.map((place) => expect.stringMatching(`^gateway.yaml: ${place}: must be at most \\d+$`)),
    );
    expect(times).toContain('limits.operations.timeoutMs');
  });

  test.each(['accept-encoding', 'range', 'if-none-match', 'If-Modified-Since', 'if-range', 'prefer', 'accept-charset'])(
    'refuse to forward %s, which changes the form of answers',
    (name) => {
      expect(mistakesOf('', { FORWARD_HEADERS: `auth-type,${name}` })).toEqual([
        expect.stringMatching(/^FORWARD_HEADERS: must be names of headers/),
      ]);
    },
  );

  test.each([
    ['limits: { documents: { dept: 3 } }', 'limits.documents.dept', 'limits.documents.depth'],
    ['limits: { depth: 3 }', 'limits.depth', 'limits.documents.depth'],
    ['circuit_breaker: { calls: 3 }', 'circuit_breaker', 'circuitBreaker'],
    ['MAX_ANSWER_BYTES: 3', 'MAX_ANSWER_BYTES', 'limits.operations.answerBytes'],
    [
      'upstream: { filters: { listFarmer: { number: x } } }',
      'upstream.filters.listFarmer',
      'upstream.filters.listFarmers',
    ],
    ['something: 3', 'something', undefined],
  ])('in a name of the file (%s) are refused', (yaml, place, nearest) => {
    const advice = nearest ? `did you mean ${nearest}?` : 'docs/configuration.md lists them';
    expect(mistakesOf(yaml)).toEqual([`gateway.yaml: ${place}: there is no such setting; ${advice}`]);
  });

  test.each([
    ['limits.documents.depth: 6', 'limits.documents.depth', 'limits: { documents: { depth: … } }'],
    ['limits: { documents.depth: 6 }', 'limits.documents.depth', 'documents: { depth: … }'],
    ['upstream.timeouts: { readMs: 6 }', 'upstream.timeouts', 'upstream: { timeouts: … }'],
  ])('in a name with dots (%s) show how to write it', (yaml, place, form) => {
    expect(mistakesOf(yaml)).toEqual([`gateway.yaml: ${place}: write it as ${form}`]);
  });

  test('in the form of the file are refused', () => {
    expect(mistakesOf('limits: 3', { MAX_ANSWER_BYTES: '3' })).toEqual([
      expect.stringMatching(/^gateway\.yaml: limits: .*object/),
    ]);
    expect(mistakesOf('just text')).toEqual([expect.stringMatching(/^gateway\.yaml: .*object/)]);
  });

  test.each([
    [
      'an URL with a secret',
      '',
      { UPSTREAM_URL: 'http://me:hidden@host/v1' },
      'UPSTREAM_URL: must hold no user name and no password',
    ],
    ['an URL of another protocol', '', { UPSTREAM_URL: 'ftp://host/v1' }, 'UPSTREAM_URL: must be an http or https URL'],
    [
      'a header of the connection',
      'upstream: { forwardHeaders: [host] }',
      {},
      'gateway.yaml: upstream.forwardHeaders: must be names of headers',
    ],
    ['a flag', 'graphql: { graphiql: perhaps }', {}, 'gateway.yaml: graphql.graphiql: must be true or false'],
    [
      'a size',
      'limits: { uploads: { fileBytes: 20 parsecs } }',
      {},
      'gateway.yaml: limits.uploads.fileBytes: must be a number of bytes',
    ],
    [
      'more memory than there is',
      'cache: { lists: { maxBytes: 2GiB } }',
      { MEMORY_LIMIT: '2GiB', WORKERS: '2' },
      'gateway.yaml: cache.lists.maxBytes: must be at most the memory of a worker',
    ],
    [
      'one port for clients and operators',
      'server: { adminPort: 4000 }',
      {},
      'gateway.yaml: server.adminPort: must be another port than PORT',
    ],
    ['a time', 'retries: { capMs: 2s }', {}, 'gateway.yaml: retries.capMs: must be a number of milliseconds'],
    ['a share', 'retries: { share: 20% }', {}, 'gateway.yaml: retries.share: must be a number from 0 to 1'],
    [
      'workers without a shared store',
      'server: { workers: 2 }',
      { IDEMPOTENCY_FILE: ':memory:' },
      'IDEMPOTENCY_FILE: must be a file',
    ],
    ['a mode without documents', '', { TRUSTED_DOCUMENTS_MODE: 'log' }, 'TRUSTED_DOCUMENTS: must name the manifests'],
    [
      'a headers deadline past the request deadline',
      'limits: { uploads: { timeoutMs: 50 }, clients: { headersTimeoutMs: 60 } }',
      {},
      'gateway.yaml: limits.clients.headersTimeoutMs: must be less',
    ],
  ])('in values are refused: %s', (_, yaml, environment, message) => {
    expect(mistakesOf(yaml, environment as Record<string, string>)).toEqual([expect.stringContaining(message)]);
  });
});

describe('the settings file', () => {
  test('is the one that CONFIG names', () => {
    const file = join(folder, 'mine.yaml');
    writeFileSync(file, 'cache:\n  lists: { maxBytes: 8MiB }\nlimits:\n');
    const { config, sources } = readSettings({ CONFIG: file });
    expect(config.cache.lists.maxBytes).toBe(8 * 2 ** 20);
    expect(sources.get('cache.lists.maxBytes')).toBe(file);
  });

  test('is an error when CONFIG names none, or no YAML', () => {
    expect(() => readSettings({ CONFIG: '' })).toThrow(/^CONFIG: must not be empty/);
    expect(() => readSettings({ CONFIG: join(folder, 'none.yaml') })).toThrow(/^CONFIG: .*none\.yaml cannot be read/);
    const file = join(folder, 'broken.yaml');
    writeFileSync(file, 'limits: [');
    expect(() => readSettings({ CONFIG: file })).toThrow(/^CONFIG: .*broken\.yaml cannot be read/);
  });
});

describe('derived defaults', () => {
  const derived = (yaml: string, onMachine = machine) => configOf(yaml, {}, { machine: onMachine }).config;

  test('fill one worker with 1 GiB on an ordinary machine', () => {
    const { server, cache, upstream, limits } = derived('');
    expect(server.memoryLimitBytes).toBe(GiB);
    expect(cache).toMatchObject({
      lists: { maxBytes: 64 * 2 ** 20, maxLists: 1_000 },
      bodies: { maxBytes: 8 * 2 ** 20 },
      documents: { maxBytes: 64 * 2 ** 20 },
    });
    expect(upstream).toMatchObject({ connections: 1_024, connectionsPerCaller: 512 });
    expect(limits).toMatchObject({
      operations: { running: 200, queued: 400 },
      uploads: { running: 100 },
      clients: { connections: 5_000 },
    });
  });

  test('shrink with the memory', () => {
    for (const { cache, upstream, limits } of [
      derived('server: { memoryLimitBytes: 256MiB }'),
      derived('', { memoryBytes: GiB / 4, cores: 4 }),
      derived('server: { memoryLimitBytes: 512MiB, workers: 2 }'),
    ]) {
      expect(cache.lists.maxBytes).toBe(16 * 2 ** 20);
      expect(upstream.connections).toBe(256);
      expect(limits.operations).toMatchObject({ running: 50, queued: 100 });
    }
  });

  test('grow with the memory for caches, and not for connections', () => {
    const { cache, upstream } = derived('server: { memoryLimitBytes: 4g }');
    expect([cache.lists.maxBytes, upstream.connections]).toEqual([256 * 2 ** 20, 1_024]);
  });

  test('are smaller where workers share a core', () => {
    expect(derived('server: { workers: 8 }', { memoryBytes: 64 * GiB, cores: 4 }).limits.operations.running).toBe(100);
  });

  test('follow the deadlines of an operation, a call and an upload', () => {
    const { limits, shutdown, upstream } = derived(`
      limits: { operations: { timeoutMs: 4000 }, uploads: { timeoutMs: 8000 } }
      upstream: { timeouts: { readMs: 800 } }`);
    expect([limits.operations.queueTimeoutMs, shutdown.timeoutMs]).toEqual([4_000, 4_000]);
    expect(upstream.timeouts).toMatchObject({ connectMs: 800, writeMs: 600, uploadIdleMs: 8_000 });
    expect(limits.uploads.idleTimeoutMs).toBe(8_000);
    expect(limits.clients).toMatchObject({ headersTimeoutMs: 4_000, bodyTimeoutMs: 8_000, responseTimeoutMs: 8_000 });
  });

  test('give way to values that are set', () => {
    const { upstream } = derived('{ server: { memoryLimitBytes: 256MiB }, upstream: { connections: 2000 } }');
    expect(upstream.connections).toBe(2_000);
  });
});

describe('docs/configuration.md', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');

  test('is up to date with the schema: npm run codegen writes it', () => {
    expect(configurationPage(page)).toBe(page);
  });

  test('shows a file that the gateway takes', () => {
    const [, file = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
    expect(configOf(file).config.limits.documents.depth).toBe(6);
  });
});

test('npm run config prints each value with its source, and no password', () => {
  const file = join(folder, 'printed.yaml');
  writeFileSync(file, 'limits: { documents: { aliases: 5 } }');
  const env = { CONFIG: file, MIN_UPLOAD_RATE: '3', PORT: '80', REDIS_URL: 'redis://user:a-secret@host:1' };
  const output = execFileSync(process.execPath, ['src/config/print.ts'], { env, encoding: 'utf8' });
  const rows = output
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(rows).toEqual(
    expect.arrayContaining([
      ['server.port', '80', 'PORT'],
      ['server.host', '"127.0.0.1"', 'default'],
      ['upstream.timeouts.writeMs', '15000', 'derived'],
      ['limits.uploads.minBytesPerSecond', '3', 'MIN_UPLOAD_RATE'],
      ['limits.documents.aliases', '5', file],
      ['redis.url', '"redis://user:***@host:1"', 'REDIS_URL'],
    ]),
  );
  expect(output).not.toContain('a-secret');

  const refused = spawnSync(process.execPath, ['src/config/print.ts'], { env: { PORT: 'abc' }, encoding: 'utf8' });
  expect(refused).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'These settings cannot be used:\n  PORT: must be a number\n',
  });
});
