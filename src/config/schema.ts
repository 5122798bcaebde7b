import type { Contract } from '@gateway/rest-graph';
import { z } from 'zod';
import type { Bases } from './bases.ts';
import { limitSettings } from './limit-settings.ts';
import { group, setting } from './setting.ts';
import { upstreamSettings } from './upstream-settings.ts';
import * as value from './values.ts';

/** More processes than these for each core only take time and memory from each other. */
const maxWorkersPerCore = 4;

const isOrigin = (text: string) => !text.includes('*') && URL.canParse(text) && new URL(text).origin === text;

const origins = () =>
  value
    .lowerCaseList()
    .refine(
      (listed) => listed.every((origin) => origin === '*' || isOrigin(origin)),
      'must be origins, such as https://app.example, with commas between them; or *',
    );

/** Every setting, with the defaults that follow from `bases`, for a service of this contract. */
export function settingsSchema(bases: Bases, contract: Contract) {
  const { memoryLimit, memory, capacity, cores, operationMs } = bases;
  const maxWorkers = maxWorkersPerCore * cores;
  return group('', {
    server: group('The address that the gateway listens on, and the resources of the machine that it takes.', {
      port: setting(value.port().default(4_000), {
        about: 'Port of the gateway. 0 takes a free one.',
        variable: 'PORT',
      }),
      host: setting(value.text().default('127.0.0.1'), {
        about: 'Address to listen on; `0.0.0.0` stands for all.',
        change: 'In a container, or behind a load balancer.',
        variable: 'HOST',
      }),
      adminPort: setting(value.port().optional(), {
        about:
          'Port of health checks and metrics alone, which are answered at once under any load. 0 takes a free one. `PORT` then has no metrics.',
        none: 'the port of the gateway alone answers them',
        change: 'Wherever clients reach `PORT`, and when something restarts a gateway whose health check is late.',
        variable: 'ADMIN_PORT',
      }),
      workers: setting(
        value
          .count()
          .refine(
            (workers) => workers <= maxWorkers,
            `must be at most ${maxWorkers}, ${maxWorkersPerCore} for each core here: more only share the cores and the memory`,
          )
          .default(1),
        {
          about: `Processes that answer, at most ${maxWorkersPerCore} for each core.`,
          change: 'Set it to the number of cores when one core is busy.',
          variable: 'WORKERS',
        },
      ),
      memoryLimitBytes: setting(value.bytes().default(memoryLimit), {
        about:
          'Memory that all workers share, such as `512MiB`: at least 40 MiB for each. Caches, connections and queues are shares of it.',
        none: "the container's limit, or half of the machine's memory",
        derived: 'At most 1 GiB for each worker, unless it is set.',
        change: 'When other programs need the memory, or when the caches may be larger.',
        variable: 'MEMORY_LIMIT',
      }),
      compression: setting(z.enum(['on', 'off']).default('on'), {
        about: '`on`: answers from 1 kB go in `zstd`, `br` or `gzip` to clients that take it. `off`: never.',
        change: 'When a proxy before the gateway compresses.',
        variable: 'COMPRESSION',
      }),
      corsOrigins: setting(origins().optional(), {
        about:
          'Origins whose pages may call the gateway, such as `https://app.example,https://admin.example`; `*`: all.',
        change: 'When a page of another origin calls the gateway.',
        variable: 'CORS_ORIGINS',
      }),
    }),
    graphql: group('The schema and the documents that clients may send.', {
      graphiql: setting(value.flag().default(true), {
        about: '`false`: no page and no assets for browsers.',
        variable: 'GRAPHIQL',
        readsEmpty: true,
      }),
      introspection: setting(value.flag().default(true), {
        about: '`false`: the schema cannot be read, and errors suggest no names. GraphiQL then knows none.',
        variable: 'INTROSPECTION',
        readsEmpty: true,
      }),
      federation: setting(value.flag().default(false), {
        about: '`true`: the gateway is also a subgraph of Apollo Federation 2, for the router of a supergraph.',
        variable: 'FEDERATION',
        readsEmpty: true,
      }),
      countedElements: setting(z.enum(['deprecated', 'all']).default('deprecated'), {
        about:
          'Elements of the schema whose uses the gateway counts, by client. `all`: fields, arguments, input fields and values.',
        change: 'Before you deprecate something, to see who uses it.',
      }),
      trustedDocuments: group('Documents that clients may name by id.', {
        files: setting(value.list().default([]), {
          about:
            'Manifests of persisted documents: paths, globs or folders. The gateway reads them at its start and on SIGHUP.',
          variable: 'TRUSTED_DOCUMENTS',
        }),
        mode: setting(z.enum(['off', 'log', 'enforce']).default('off'), {
          about: 'A document that no manifest has: `off` runs it, `log` runs and logs it, `enforce` refuses it.',
          variable: 'TRUSTED_DOCUMENTS_MODE',
          readsEmpty: true,
        }),
      }),
    }),
    ...upstreamSettings(bases, contract),
    cache: group('Answers of the service that one caller gets again. Each worker has its own.', {
      lists: group('Lists of products, cards, entity cards and currencies.', {
        ttlMs: setting(value.msOrNone(value.dayMs).default(30_000), {
          about: 'How long a page is fresh; for as long again it is shown while it is read anew. 0: no cache.',
          change: 'Lower it when the lists change outside the gateway and users must see that sooner.',
        }),
        maxLists: setting(value.count().default(Math.max(40, capacity(1_000))), {
          about: 'Lists at most: four for each caller, 40 for each key.',
          derived: '1,000 for each GiB of memory.',
        }),
        maxBytes: setting(value.bytes().default(memory(1 / 16)), {
          about: 'Bytes of JSON at most.',
          derived: 'A sixteenth of the memory of a worker.',
        }),
      }),
      bodies: group('The last answer of each path, parsed once while its bytes stay the same.', {
        maxBytes: setting(value.bytes().default(memory(1 / 128)), {
          about: 'Bytes at most; parsed they take four times as much.',
          derived: 'A 128th of the memory of a worker.',
        }),
      }),
      documents: group('Documents that come more than once, parsed and validated, and what is compiled for them.', {
        maxBytes: setting(value.bytes().default(memory(1 / 16)), {
          about: 'Bytes at most; a field counts 1,500, for each choice of `@skip` and `@include`.',
          derived: 'A sixteenth of the memory of a worker.',
          change: 'When `gateway_operation_cache_misses_total` keeps growing, because the apps have more documents.',
        }),
      }),
    }),
    limits: limitSettings(bases),
    idempotency: group('Writes under an `Idempotency-Key`, so that a write that is sent again is made once.', {
      file: setting(value.text().default('.gateway/idempotency.db'), {
        about: 'SQLite file, where there is no `REDIS_URL`; `:memory:` keeps nothing after the process ends.',
        variable: 'IDEMPOTENCY_FILE',
        readsEmpty: true,
      }),
      ttlMs: setting(
        value
          .ms(30 * value.dayMs)
          .pipe(z.number().min(60_000))
          .default(value.dayMs),
        { about: 'How long a key is remembered: a day; a minute at least, and 30 days at most.' },
      ),
      timeoutMs: setting(value.ms().default(750), {
        about:
          'How long a write waits for the store of keys. Once the store is silent for longer, writes with a key are refused at once, until it answers.',
        change: 'When writes with a key should wait longer for a slow disk or Redis rather than be refused.',
      }),
      writes: setting(value.count().default(1_000_000), {
        about: 'Writes that are remembered at most; the next with a new key is `OVERLOADED`.',
        change: 'Lower it when the disk or Redis has little room: a write takes one or two KiB.',
      }),
      writesPerCaller: setting(value.count().default(250_000), {
        about: 'Writes that are remembered for one caller at most.',
        change: 'Raise it when one caller makes more than three writes in a second, all day.',
      }),
    }),
    redis: group('Redis, for gateways on several machines.', {
      url: setting(value.redisUrl().optional(), {
        about: 'Redis that all gateways of the service share, such as `redis://host:6379`.',
        none: 'each gateway is alone, and the records of writes are in a file',
        change: 'When gateways run on several machines.',
        variable: 'REDIS_URL',
        readsEmpty: true,
        isSecret: true,
      }),
      timeoutMs: setting(value.ms().default(50), {
        about:
          'How long a reply of Redis, or of a gateway that it reaches, may take beyond the measured round trips. While Redis is silent for longer, only writes with a key wait for it, as `idempotency.timeoutMs` says.',
        change: 'When Redis or the network answers unevenly.',
      }),
    }),
    shutdown: group('The end of the process after SIGTERM.', {
      delayMs: setting(value.msOrNone().default(0), {
        about: 'How long the gateway takes requests after it says that it is not ready.',
        change: 'Behind a proxy, which needs a while to see that: 5000 with the files of deploy/ and on Kubernetes.',
      }),
      timeoutMs: setting(value.ms(value.dayMs).default(operationMs), {
        about: 'How long the gateway waits after that for requests in flight.',
        derived: 'As long as `limits.operations.timeoutMs`.',
      }),
    }),
    log: group('Lines of JSON on standard output.', {
      level: setting(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'), {
        about: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
        variable: 'LOG_LEVEL',
      }),
      access: setting(z.enum(['auto', 'on', 'off']).default('auto'), {
        about: 'A line for each operation: `on`, `off`, or `auto`, which is off where the output is a terminal.',
        variable: 'ACCESS_LOG',
      }),
      bufferBytes: setting(value.bytes().default(memory(1 / 1_024)), {
        about: 'Bytes of lines at most that wait until standard output takes them; the gateway drops further lines.',
        derived: 'A 1,024th of the memory of a worker.',
      }),
    }),
    tracing: group('Spans for OpenTelemetry, where `OTEL_` variables ask for them: docs/opentelemetry.md.', {
      slowMs: setting(value.ms().default(Math.max(1, Math.ceil(operationMs / 10))), {
        about: 'An operation that takes as long keeps its spans, whatever the ratio of samples.',
        derived: 'A tenth of `limits.operations.timeoutMs`.',
        change: 'When too many operations, or too few, count as slow.',
      }),
    }),
    sandbox: group('The stand-in for the REST service.', {
      embedded: setting(value.flag().optional(), {
        about: '`true`: the gateway runs over its sandbox, which has public keys. `false`: it never does.',
        none: 'the sandbox runs where `UPSTREAM_URL` is absent, except under `NODE_ENV=production`',
        variable: 'SANDBOX',
      }),
      port: setting(value.port().optional(), {
        about: 'Port of the sandbox.',
        none: 'a free one when embedded, 4010 alone',
        variable: 'SANDBOX_PORT',
      }),
      data: setting(value.text().default('.sandbox'), {
        about: 'Folder of its data; `:memory:` writes none.',
        variable: 'SANDBOX_DATA',
      }),
      dialect: setting(z.enum(['spec', 'connect']).default('spec'), {
        about: '`connect`: envelopes, unix seconds and strictness of the real service.',
        variable: 'SANDBOX_DIALECT',
      }),
      pace: setting(value.text().default('none'), {
        about: 'Costs of calls: `none`; `real`, as measured of a real deployment; or the path of a file with figures.',
        change: 'When pages over the sandbox have to feel like those over a real service.',
        variable: 'SANDBOX_PACE',
      }),
      workers: setting(value.count().optional(), {
        about: 'Calls that a sandbox with a pace works on at the same time.',
        none: 'as many as the file says, or 4',
        variable: 'SANDBOX_WORKERS',
      }),
      delayMs: setting(value.msOrNone().default(0), { about: 'Time before each answer.' }),
      failRate: setting(value.share().default(0), {
        about: 'Share of the calls that get a 503: 0.25 is every fourth.',
      }),
    }),
  });
}

export type Config = z.output<ReturnType<typeof settingsSchema>>;
