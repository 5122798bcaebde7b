import { z } from 'zod';
import { type EndpointName, endpoints } from '../upstream/endpoints.ts';
import type { Bases } from './bases.ts';
import * as value from './values.ts';

/** One setting, as the page of settings shows it. */
export interface SettingInfo {
  about: string;
  /** Names the default where it is not a value. */
  none?: string;
  /** How the default follows from the memory, the processors or a deadline. */
  derived?: string;
  /** The reason to change the default. */
  change?: string;
  /** The environment variable that sets it. */
  variable?: string;
  /** An empty variable is a value, which the type may refuse. Other empty variables count as absent. */
  readsEmpty?: true;
  isSecret?: true;
}

export interface GroupInfo {
  about: string;
  shape: Readonly<Record<string, z.ZodType>>;
}

/** Describes the settings and groups of the schema. */
export const infos = new WeakMap<z.ZodType, SettingInfo | GroupInfo>();

function setting<T extends z.ZodType>(type: T, info: SettingInfo): T {
  infos.set(type, info);
  return type;
}

function group<S extends z.ZodRawShape>(about: string, shape: S) {
  const type = z.strictObject(shape);
  const absent = type.prefault({} as z.input<typeof type>);
  infos.set(absent, { about, shape: shape as unknown as GroupInfo['shape'] });
  return absent;
}

/**
 * Headers that belong to the connection or the body would contradict the headers of the call. Those that choose the form of
 * the answer would bring compressed, partial or empty answers, which the gateway cannot read.
 */
const ownHeaders =
  /^(accept|accept-(charset|encoding)|connection|content-(encoding|length|type)|expect|host|if-.*|keep-alive|prefer|proxy-(authorization|connection)|range|te|trailer|transfer-encoding|upgrade)$/;

/** More processes than these for each core only take time and memory from each other. */
const maxWorkersPerCore = 4;

const isOrigin = (text: string) => !text.includes('*') && URL.canParse(text) && new URL(text).origin === text;

const serviceUrl = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .refine((url) => !/[?#]/.test(url), 'must end with the version segment: no query, no fragment')
    .refine((url) => !/^\w+:\/\/[^/]*@/.test(url), 'must hold no user name and no password');

const publicUrl = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .refine(
      (url) => !/[?#]/.test(url) && !/^\w+:\/\/[^/]*@/.test(url),
      'must have no query, fragment, user or password',
    );

const origins = () =>
  value
    .lowerCaseList()
    .refine(
      (listed) => listed.every((origin) => origin === '*' || isOrigin(origin)),
      'must be origins, such as https://app.example, with commas between them; or *',
    );

const forwardedHeaders = () =>
  value
    .lowerCaseList()
    .refine(
      (listed) => listed.every((name) => /^[\w-]+$/.test(name) && !ownHeaders.test(name)),
      'must be names of headers that leave the connection and the form of answers alone, with commas between them',
    );

/** Query parameters that the service names differently: endpoint → filter argument → parameter. */
type FilterNames = Partial<Record<EndpointName, Record<string, string>>>;

/** The filter arguments of each endpoint that has some. */
export const filterArguments: readonly (readonly [EndpointName, readonly string[]])[] = Object.entries(
  endpoints,
).flatMap(([endpoint, described]) =>
  described.filters ? [[endpoint as EndpointName, Object.keys(described.filters)] as const] : [],
);

function filterNames(): z.ZodType<FilterNames> {
  const shape = filterArguments.map(([endpoint, names]) => {
    const parameters = z.strictObject(Object.fromEntries(names.map((name) => [name, value.text().optional()])));
    return [endpoint, parameters.optional()];
  });
  return z.strictObject(Object.fromEntries(shape)) as unknown as z.ZodType<FilterNames>;
}

const MiB = 2 ** 20;

/** Every setting, with the defaults that follow from `bases`. */
export function settingsSchema({ memoryLimit, memory, capacity, cores, operationMs, callMs, uploadMs }: Bases) {
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
          'Port of health checks and metrics alone, which are answered at once under any load. 0 takes a free one.',
        none: 'the port of the gateway alone answers them',
        change: 'When something restarts a gateway whose health check is late.',
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
        about: 'Memory that all workers share, such as `512MiB`. Caches, connections and queues are shares of it.',
        none: "the container's limit, or half of the machine's memory",
        derived: 'At most 1 GiB for each worker, unless it is set.',
        change: 'When other programs need the memory, or when the caches may be larger.',
        variable: 'MEMORY_LIMIT',
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
      trustedDocuments: group('Documents that clients may name by id.', {
        files: setting(value.list().default([]), {
          about: 'Manifests of persisted documents: paths or globs.',
          variable: 'TRUSTED_DOCUMENTS',
        }),
        mode: setting(z.enum(['off', 'log', 'enforce']).default('off'), {
          about: 'A document that no manifest has: `off` runs it, `log` runs and logs it, `enforce` refuses it.',
          variable: 'TRUSTED_DOCUMENTS_MODE',
          readsEmpty: true,
        }),
      }),
    }),
    upstream: group('The REST service, and how the gateway speaks to it.', {
      url: setting(serviceUrl().optional(), {
        about: 'Base URL of the service, with its version segment.',
        none: 'the embedded sandbox, except under `NODE_ENV=production`',
        variable: 'UPSTREAM_URL',
        readsEmpty: true,
      }),
      dialect: setting(z.enum(['auto', 'spec', 'connect']).default('auto'), {
        about:
          '`connect`: the gateway sends date-times as unix seconds, and refuses what a real deployment fails on or stores broken. `auto` finds it out before the first write. The embedded sandbox has `SANDBOX_DIALECT`.',
        change: 'When the log says that the service speaks another dialect.',
        variable: 'UPSTREAM_DIALECT',
        readsEmpty: true,
      }),
      unknownOptions: setting(z.enum(['refuse', 'send']).default('refuse'), {
        about:
          'A `selected_option` that the gateway cannot check, because no answer shows the options of its premium. Only `connect` checks options.',
        change:
          'When clients pay premiums that nobody has paid yet. A wrong option breaks every list with its payment for ever.',
      }),
      language: setting(
        z
          .string()
          .regex(/^[\w*,;=. -]+$/, 'must be what Accept-Language may be')
          .optional(),
        {
          about: '`Accept-Language` of every call, in place of what clients send.',
          change: 'When labels and messages of the service have to be in one language.',
          variable: 'UPSTREAM_LANGUAGE',
        },
      ),
      forwardHeaders: setting(forwardedHeaders().default(['accept-language', 'auth-type']), {
        about: 'Request headers that go to the service, beside `Authorization`. An empty variable: none.',
        variable: 'FORWARD_HEADERS',
        readsEmpty: true,
      }),
      productTransactionsFilterBy: setting(z.string().trim().optional(), {
        about: 'Sent as `filter_by` when product transactions are read. An empty variable: none.',
        none: '`all` in the dialect `connect`, which shows what the company trades',
        change: 'When a caller is to see only its own; `user` asks for these.',
        variable: 'PRODUCT_TRANSACTIONS_FILTER_BY',
        readsEmpty: true,
      }),
      filters: setting(filterNames().default({}), {
        about:
          'Query parameters by endpoint and argument, such as `listFarmers: { first_name: first_name__icontains }`.',
        change: 'When the service names a filter differently.',
      }),
      connections: setting(value.count().default(Math.max(16, capacity(1_024))), {
        about: 'Connections to the service at most; calls beyond them wait.',
        derived: '1,024 for each GiB of memory.',
        change: 'When the service takes fewer. An operation can make 500 calls, which wait for each other then.',
      }),
      connectionsPerCaller: setting(value.count().default(Math.max(8, capacity(512))), {
        about: 'Connections for one value of `Authorization` at most.',
        derived: '512 for each GiB of memory.',
      }),
      answerBytes: setting(value.bytes().default(Math.min(8 * MiB, memory(1 / 64))), {
        about: 'Bytes of one answer of the service at most. The gateway cuts the connection of a longer one.',
        derived: '8 MiB, or a 64th of the memory of a worker where that is less.',
        change: 'When a list of the service is longer. All clients wait while the gateway parses one: 50 ms for 8 MiB.',
        variable: 'MAX_UPSTREAM_ANSWER_BYTES',
      }),
      answersBytes: setting(value.bytes().default(memory(1 / 8)), {
        about: 'Bytes at most of all answers of the service that are under way; those below 64 KiB do not count.',
        derived: 'An eighth of the memory of a worker.',
      }),
      timeouts: group('How long a call may take.', {
        readMs: setting(value.ms().default(callMs), {
          about: 'For the answer to a GET, retries included: the deadline of a call.',
          change: 'When the service needs longer for its lists.',
        }),
        connectMs: setting(value.ms().default(Math.min(1_000, callMs)), {
          about: 'To connect.',
          derived: 'A second, or `upstream.timeouts.readMs` where that is less.',
        }),
        writeMs: setting(value.ms().default(Math.ceil((callMs * 3) / 4)), {
          about: 'For the answer to a POST or PATCH.',
          derived: 'Three quarters of `upstream.timeouts.readMs`.',
        }),
        uploadIdleMs: setting(value.ms().default(Math.min(60_000, uploadMs)), {
          about: 'For the service to take the next piece of an upload, and to answer after its last.',
          derived: 'A minute, or `limits.uploads.timeoutMs` where that is less.',
        }),
      }),
    }),
    media: group('Pictures and invoices, which the service stores as files.', {
      url: setting(publicUrl().optional(), {
        about: 'Base of the URLs of files: what stands before `/media/…`, such as `https://files.example`.',
        none: 'the origin of `UPSTREAM_URL`',
        change: 'When clients reach the service under another address than the gateway does.',
        variable: 'MEDIA_URL',
        readsEmpty: true,
      }),
      proxy: setting(value.flag().default(false), {
        about:
          '`true`: the gateway serves the files of the service below `/media/`, to those who send an `Authorization`. `MEDIA_URL` is then the address of the gateway for clients.',
        change: 'When only the gateway reaches the service.',
        variable: 'MEDIA_PROXY',
        readsEmpty: true,
      }),
      running: setting(value.count().default(Math.max(4, capacity(100))), {
        about: 'Files that the gateway serves at the same time, a quarter of them to one value of `Authorization`.',
        derived: '100 for each GiB of memory.',
      }),
    }),
    retries: group('GETs that are made again when the service fails for a moment.', {
      max: setting(value.countOrNone().default(2), { about: 'Retries of one GET; 0: none.' }),
      baseMs: setting(value.ms().default(70), {
        about: 'Longest pause before the first retry; each further one doubles it.',
      }),
      capMs: setting(value.ms().default(2_000), {
        about: 'Longest pause before any retry, except where `Retry-After` asks for more.',
      }),
      share: setting(value.share().default(0.2), {
        about: 'Share of the GETs in flight that may be retries; three always may.',
        change: 'Lower it when retries keep a struggling service down.',
      }),
    }),
    circuitBreaker: group('Endpoints that answer no call are not called until a probe succeeds.', {
      calls: setting(value.countOrNone().default(150), {
        about: 'Calls of an endpoint that fail one after the other before its circuit opens; 0: it never opens.',
        change:
          'Lower it for a service that is either there or gone. Below 150, many random failures can open a circuit.',
      }),
      probeIntervalMs: setting(value.ms().default(200), { about: 'From one probe of an open circuit to the next.' }),
      probeWaitMs: setting(value.ms().default(40), {
        about: 'Longest wait of a read for the answer to a probe.',
        change: 'Raise it so that fewer clients see an error when a slow service comes back.',
      }),
    }),
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
    limits: group('Bounds of what one client can ask for.', {
      operations: group('Operations, at the same time and each by itself.', {
        timeoutMs: setting(value.ms().default(operationMs), {
          about: 'The deadline of an operation; what is missing by then is null, with `UPSTREAM_TIMEOUT`.',
        }),
        running: setting(value.count().default(Math.max(1, capacity(200))), {
          about: 'Operations that run at the same time.',
          derived: '200 for each GiB of memory.',
        }),
        queued: setting(value.countOrNone().default(capacity(400)), {
          about: 'Operations that wait for that, in the order of their arrival; the next is `OVERLOADED`.',
          derived: '400 for each GiB of memory.',
        }),
        queueTimeoutMs: setting(value.ms().default(Math.min(5_000, operationMs)), {
          about: 'How long an operation may wait.',
          derived: '5 s, or `limits.operations.timeoutMs` where that is less.',
        }),
        pageSize: setting(value.count().default(1_000), { about: 'Rows of one list at most.' }),
        upstreamCalls: setting(value.count().default(500), {
          about: 'REST calls of one operation at most, retries included.',
        }),
        cost: setting(value.count().default(50_000), {
          about: 'Objects that an operation may ask for, as estimated before it runs.',
        }),
        objects: setting(value.count().default(100_000), {
          about: 'Objects in one answer; what does not fit is null, with one `QUERY_TOO_COMPLEX`.',
        }),
        answerBytes: setting(value.bytes().default(Math.min(32 * MiB, memory(1 / 16))), {
          about: 'Bytes of one answer at most; what does not fit is null, with one `QUERY_TOO_COMPLEX`.',
          derived: '32 MiB, or a sixteenth of the memory of a worker where that is less.',
          variable: 'MAX_ANSWER_BYTES',
        }),
        memoryBytes: setting(value.bytes().default(memory(1 / 4)), {
          about:
            'Bytes that running operations hold at most: answers of the service that they have read, and their own answers. The first 512 KiB of each do not count.',
          derived: 'A quarter of the memory of a worker.',
        }),
      }),
      documents: group('Texts of operations. Fragments count wherever they are spread.', {
        tokens: setting(value.count().default(2_000), { about: 'Tokens at most, and lines.' }),
        depth: setting(value.count().default(10), { about: 'Fields below each other at most.' }),
        fields: setting(value.count().default(1_000), { about: 'Fields of an operation at most.' }),
        fieldsPerObject: setting(value.count().default(120), {
          about: 'Fields of one object at most, aliases and repetitions included. No type has a third as many.',
        }),
        rootFields: setting(value.count().default(20), { about: 'Fields of `Query` or `Mutation` at most.' }),
        aliases: setting(value.count().default(30), { about: 'Aliases in an operation at most.' }),
        directives: setting(value.count().default(20), { about: 'Directives in an operation at most.' }),
        directivesPerNode: setting(value.count().default(4), {
          about: 'Directives at one field, fragment, variable or operation at most.',
        }),
      }),
      uploads: group('Files of mutations. They do not count as running operations.', {
        timeoutMs: setting(value.ms(value.dayMs).default(uploadMs), {
          about: 'The deadline of an upload: for a client to send a request with its file.',
          change: 'Raise it with `limits.uploads.fileBytes`.',
        }),
        idleTimeoutMs: setting(value.ms().default(Math.min(15_000, uploadMs)), {
          about: 'Longest silence of a client that is uploading.',
          derived: '15 s, or `limits.uploads.timeoutMs` where that is less.',
        }),
        minBytesPerSecond: setting(value.countOrNone().default(1_000), {
          about: 'Bytes that a client must send each second, averaged over 15 s; 0: any.',
          change: 'Raise it when slow clients take the places of others. A phone on 2G sends about 2,000.',
          variable: 'MIN_UPLOAD_RATE',
        }),
        running: setting(value.count().default(Math.max(1, capacity(100))), {
          about: 'Uploads at the same time, a quarter for one value of `Authorization` while others want to upload.',
          derived: '100 for each GiB of memory.',
        }),
        fileBytes: setting(value.bytes().default(20 * MiB), { about: 'Bytes of a file at most.' }),
        spooledBytes: setting(value.bytes().default(memory(1 / 2)), {
          about: 'Bytes of all files together that the gateway writes to its temporary folder before it sends them.',
          derived: 'Half of the memory of a worker, because the temporary folder may lie in memory.',
        }),
      }),
      clients: group('Connections of clients, and how slow they may be.', {
        connections: setting(value.count().default(Math.max(100, capacity(5_000))), {
          about: 'Connections at most; those beyond are for health checks and metrics alone.',
          derived: '5,000 for each GiB of memory.',
        }),
        bodyBytes: setting(value.bytes().default(MiB / 4), {
          about: 'Bytes of a JSON body, or of a text field of a form, at most.',
        }),
        bodiesBytes: setting(value.bytes().default(memory(1 / 16)), {
          about: 'Bytes at most of all bodies that clients are sending, files excepted.',
          derived: 'A sixteenth of the memory of a worker.',
        }),
        answersBytes: setting(value.bytes().default(memory(1 / 8)), {
          about: 'Bytes at most of all answers that clients have not taken yet.',
          derived: 'An eighth of the memory of a worker.',
        }),
        headersTimeoutMs: setting(value.ms().default(Math.min(10_000, Math.ceil(uploadMs / 2))), {
          about: 'For a client to send the headers of a request.',
          derived: '10 s, or half of `limits.uploads.timeoutMs` where that is less.',
        }),
        bodyTimeoutMs: setting(value.ms().default(Math.min(15_000, uploadMs)), {
          about: 'For a client to send a JSON body.',
          derived: '15 s, or `limits.uploads.timeoutMs` where that is less.',
        }),
        responseTimeoutMs: setting(value.ms().default(Math.min(60_000, uploadMs)), {
          about: 'How long a client may take nothing of its answer.',
          derived: 'A minute, or `limits.uploads.timeoutMs` where that is less.',
        }),
      }),
    }),
    idempotency: group('Writes under an `Idempotency-Key`, so that a write that is sent again is made once.', {
      file: setting(value.text().default('.gateway/idempotency.db'), {
        about: 'SQLite file; `:memory:` keeps nothing after the process ends.',
        variable: 'IDEMPOTENCY_FILE',
        readsEmpty: true,
      }),
      redisUrl: setting(z.url({ protocol: /^rediss?$/, error: 'must be a redis or rediss URL' }).optional(), {
        about: 'Redis in place of the file, such as `redis://host:6379`.',
        change: 'When gateways run on several machines.',
        variable: 'REDIS_URL',
        readsEmpty: true,
        isSecret: true,
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
        change: 'When Redis is far away.',
      }),
      writes: setting(value.count().default(1_000_000), {
        about: 'Writes that are remembered at most; the next with a new key is `OVERLOADED`.',
        change: 'Lower it when the disk or Redis has little room: a write takes one or two KiB.',
      }),
      writesPerCaller: setting(value.count().default(250_000), {
        about: 'Writes that are remembered for one value of `Authorization` at most.',
        change: 'Raise it when one caller makes more than three writes in a second, all day.',
      }),
    }),
    shutdown: group('The end of the process after SIGTERM.', {
      delayMs: setting(value.msOrNone().default(0), {
        about: 'How long the gateway takes requests after it says that it is not ready.',
        change: 'When a load balancer needs a while to see that, such as 3000 on Kubernetes.',
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
