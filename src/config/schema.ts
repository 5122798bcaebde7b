import { z } from 'zod';
import type { Bases } from './bases.ts';
import { derivedFrom } from './derived.ts';
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

/** Every setting, with the defaults that follow from `bases`. */
export function settingsSchema(bases: Bases) {
  const { memoryLimit, cores, operationMs } = bases;
  const { ofMemory, perGiB } = derivedFrom(bases);
  const maxWorkers = maxWorkersPerCore * cores;
  return group('', {
    server: group('The address that the gateway listens on, and the resources of the machine that it takes.', {
      port: setting(value.port().default(4_000), {
        about: 'Port of the gateway. 0 takes a free one.',
        variable: 'PORT',
      }),
      host: setting(value.text().default('127.0.0.1'), {
        about: 'Address to listen on; `0.0.0.0` for all.',
        variable: 'HOST',
      }),
      adminPort: setting(value.port().optional(), {
        about:
          'Port of health checks and metrics alone, at once under any load. 0 takes a free one. `PORT` then has no metrics.',
        change: 'Set it wherever clients reach `PORT`.',
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
          change: 'Best one for each core.',
          variable: 'WORKERS',
        },
      ),
      memoryLimitBytes: setting(value.bytes().default(memoryLimit), {
        about: 'Memory that all workers share: at least 40 MiB for each.',
        none: "the container's limit, or half of the machine's memory, at most 1 GiB for each worker",
        variable: 'MEMORY_LIMIT',
      }),
      compression: setting(z.enum(['on', 'off']).default('on'), {
        about: '`off`: answers are not compressed.',
        change: 'For a proxy that compresses.',
        variable: 'COMPRESSION',
      }),
      corsOrigins: setting(origins().optional(), {
        about: 'Origins whose pages may call the gateway, such as `https://app.example`; `*`: all.',
        variable: 'CORS_ORIGINS',
      }),
    }),
    graphql: group('', {
      graphiql: setting(value.flag().default(true), {
        about: '`false`: no page and no assets for browsers.',
        variable: 'GRAPHIQL',
        readsEmpty: true,
      }),
      introspection: setting(value.flag().default(true), {
        about: '`false`: the schema cannot be read, and errors suggest no names.',
        variable: 'INTROSPECTION',
        readsEmpty: true,
      }),
      federation: setting(value.flag().default(false), {
        about: '`true`: the gateway is also a subgraph of Apollo Federation 2.',
        variable: 'FEDERATION',
        readsEmpty: true,
      }),
      signInMutations: setting(value.flag().default(false), {
        about: '`true`: the mutations `signIn` and `refreshToken`, beside `POST /sign-in`.',
        variable: 'SIGN_IN_MUTATIONS',
      }),
      countedElements: setting(z.enum(['deprecated', 'all']).default('deprecated'), {
        about: 'Elements of the schema whose uses the gateway counts: `deprecated` ones, or `all`.',
      }),
      trustedDocuments: group('Documents that clients may name by id.', {
        files: setting(value.list().default([]), {
          about: 'Manifests of persisted documents: paths, globs or folders, read at the start and on SIGHUP.',
          variable: 'TRUSTED_DOCUMENTS',
        }),
        mode: setting(z.enum(['off', 'log', 'enforce']).default('off'), {
          about: 'A document that no manifest has: `off` runs it, `log` runs and logs it, `enforce` refuses it.',
          variable: 'TRUSTED_DOCUMENTS_MODE',
          readsEmpty: true,
        }),
      }),
    }),
    ...upstreamSettings(bases),
    cache: group('Answers of the service that one caller gets again. Each worker has its own.', {
      lists: group('Lists of products, cards, entity cards and currencies.', {
        ttlMs: setting(value.msOrNone(value.dayMs).default(30_000), {
          about: 'How long a page is fresh; as long again, it is shown while it is read anew. 0: no cache.',
          change: 'Lower it when users must see changes sooner that others make.',
        }),
        maxLists: perGiB(1_000, 40, { about: 'Lists at most: four for each caller, 40 for each key.' }),
        maxBytes: ofMemory(16, { about: 'Bytes of JSON at most.' }),
      }),
      bodies: group('The last answer of each path, parsed once.', {
        maxBytes: ofMemory(128, { about: 'Bytes at most; parsed they take four times as much.' }),
      }),
      documents: group('Documents that come more than once.', {
        maxBytes: ofMemory(16, {
          about: 'Bytes at most; a field counts 1,500.',
          change: 'When `gateway_operation_cache_misses_total` keeps growing.',
        }),
      }),
    }),
    limits: limitSettings(bases),
    idempotency: group('Writes under an `Idempotency-Key`.', {
      file: setting(value.text().default('.gateway/idempotency.db'), {
        about: 'SQLite file of writes, without `REDIS_URL`; `:memory:` keeps nothing.',
        variable: 'IDEMPOTENCY_FILE',
        readsEmpty: true,
      }),
      ttlMs: setting(
        value
          .ms(30 * value.dayMs)
          .pipe(z.number().min(60_000))
          .default(value.dayMs),
        { about: 'How long a key is remembered: a minute to 30 days.' },
      ),
      timeoutMs: setting(value.ms().default(750), {
        about:
          'How long a write waits for the store of keys. Once it is silent for longer, writes with a key are refused at once.',
        change: 'For a slow disk or Redis.',
      }),
      writes: setting(value.count().default(1_000_000), {
        about: 'Writes that are remembered; the next with a new key is `OVERLOADED`.',
        change: 'A write takes one or two KiB.',
      }),
      writesPerCaller: setting(value.count().default(250_000), {
        about: 'The same for one caller.',
      }),
    }),
    redis: group('', {
      url: setting(value.redisUrl().optional(), {
        about: 'Redis that gateways on several machines share, such as `redis://host:6379`.',
        variable: 'REDIS_URL',
        readsEmpty: true,
        isSecret: true,
      }),
      timeoutMs: setting(value.ms().default(50), {
        about:
          'How long a reply of Redis, or of a gateway that it reaches, may take beyond the measured round trips. Then Redis is away.',
        change: 'Raise it when Redis or the network answers unevenly.',
      }),
    }),
    shutdown: group('', {
      delayMs: setting(value.msOrNone().default(0), {
        about: 'How long the gateway takes requests after it says that it is not ready: 5000 behind a proxy.',
      }),
      timeoutMs: setting(value.ms(value.dayMs).default(operationMs), {
        about: 'How long the gateway waits after that for requests in flight.',
        derived: 'that of an operation',
      }),
    }),
    log: group('', {
      level: setting(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'), {
        about: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
        variable: 'LOG_LEVEL',
      }),
      access: setting(z.enum(['auto', 'on', 'off']).default('auto'), {
        about: 'A line for each operation: `on`, `off`, or `auto`, which is off on a terminal.',
        variable: 'ACCESS_LOG',
      }),
      bufferBytes: ofMemory(1_024, {
        about: 'Bytes of lines that wait for standard output; the gateway drops further lines.',
      }),
    }),
    tracing: group('Spans for OpenTelemetry: packages/telemetry/README.md.', {
      slowMs: setting(value.ms().default(Math.max(1, Math.ceil(operationMs / 10))), {
        about: 'An operation that takes as long keeps its spans, whatever the sampler says.',
        derived: '1/10 of an operation',
      }),
    }),
    sandbox: group('', {
      embedded: setting(value.flag().optional(), {
        about: '`true`: the gateway runs over its sandbox, which has public keys. `false`: never.',
        none: 'where `UPSTREAM_URL` is absent, except under `NODE_ENV=production`',
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
        about: 'Costs of calls: `none`, `real`, or the path of a file with figures.',
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
