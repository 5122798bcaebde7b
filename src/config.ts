import { z } from 'zod';
import { type EndpointName, endpoints } from './upstream/endpoints.ts';

const count = z.coerce.number().int().positive();
/** No timer takes more. */
const longest = 2_147_483_647;
const milliseconds = z.coerce.number().int().positive().max(longest);
const port = z.coerce.number().int().min(0).max(65_535);
const flag = z.stringbool({ truthy: ['true'], falsy: ['false'] });
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
const names = list.transform((items) => items.map((name) => name.toLowerCase()));

/** Of the connection or the body that they come with: passed on, they would belie those of the call. */
const ownHeaders = new Set([
  ...['accept', 'connection', 'content-encoding', 'content-length', 'content-type', 'expect', 'host', 'keep-alive'],
  ...['proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

const isOrigin = (text: string) => !text.includes('*') && URL.canParse(text) && new URL(text).origin === text;
const origins = names.refine(
  (listed) => listed.every((origin) => origin === '*' || isOrigin(origin)),
  'must be origins, such as https://app.example, with commas between them; or *',
);

/** Every setting but the filter names, with its default. docs/configuration.md explains each. */
const settings = z.object({
  PORT: port.default(4000),
  HOST: z.string().min(1).default('127.0.0.1'),
  GRAPHIQL: z.stringbool().default(true),
  WORKERS: count.default(1),
  CORS_ORIGINS: origins.optional(),
  UPSTREAM_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .refine((url) => !/[?#]/.test(url), 'must end with the version segment: no query, no fragment')
    .refine((url) => !/^\w+:\/\/[^/]*@/.test(url), 'must hold no user name and no password')
    .optional(),
  UPSTREAM_DIALECT: z.enum(['spec', 'connect']).default('spec'),
  UPSTREAM_CONNECTIONS: count.default(1_024),
  UPSTREAM_CONNECTIONS_PER_CALLER: count.default(512),
  UPSTREAM_CONNECT_TIMEOUT_MS: milliseconds.default(1_000),
  UPSTREAM_READ_TIMEOUT_MS: milliseconds.default(20_000),
  UPSTREAM_WRITE_TIMEOUT_MS: milliseconds.default(15_000),
  UPSTREAM_UPLOAD_TIMEOUT_MS: milliseconds.default(60_000),
  UPSTREAM_RETRIES: z.coerce.number().int().min(0).default(2),
  UPSTREAM_RETRY_BASE_MS: milliseconds.default(70),
  UPSTREAM_RETRY_CAP_MS: milliseconds.default(2_000),
  UPSTREAM_RETRY_SHARE: z.coerce.number().min(0).max(1).default(0.2),
  UPSTREAM_BREAKER_CALLS: z.coerce.number().int().min(0).default(20),
  UPSTREAM_BREAKER_SHARE: z.coerce.number().gt(0).lt(1).default(0.5),
  UPSTREAM_BREAKER_PAUSE_MS: milliseconds.default(500),
  PRODUCT_TRANSACTIONS_FILTER_BY: z.string().min(1).optional(),
  FORWARD_HEADERS: names
    .refine(
      (listed) => listed.every((name) => /^[\w-]+$/.test(name) && !ownHeaders.has(name)),
      'must be names of headers that are no business of the connection, with commas between them',
    )
    .default(['accept-language', 'auth-type']),
  UPSTREAM_LANGUAGE: z
    .string()
    .regex(/^[\w*,;=. -]+$/, 'must be what Accept-Language may be')
    .optional(),
  CATALOG_TTL_MS: z.coerce.number().int().min(0).default(30_000),
  CATALOG_MAX_ENTRIES: count.default(1_000),
  CATALOG_MAX_BYTES: count.default(64 * 1024 * 1024),
  IDEMPOTENCY_FILE: z.string().min(1).default('.gateway/idempotency.db'),
  // A write that outlasts the memory of it would be made again.
  IDEMPOTENCY_TTL_MS: z.coerce
    .number()
    .int()
    .min(60_000)
    .default(24 * 60 * 60 * 1_000),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis or rediss URL' }).optional(),
  MAX_PAGE_SIZE: count.default(1_000),
  OPERATION_TIMEOUT_MS: milliseconds.default(25_000),
  MAX_UPSTREAM_CALLS: count.default(500),
  MAX_OPERATIONS: count.default(200),
  MAX_QUEUED_OPERATIONS: z.coerce.number().int().min(0).default(400),
  QUEUE_TIMEOUT_MS: milliseconds.default(5_000),
  MAX_UPLOADS: count.default(100),
  MAX_CONNECTIONS: count.default(5_000),
  MAX_UPLOAD_BYTES: count.default(20 * 1024 * 1024),
  MAX_BODY_BYTES: count.default(256 * 1024),
  MAX_TOKENS: count.default(2_000),
  MAX_DEPTH: count.default(10),
  MAX_SELECTIONS: count.default(1_000),
  MAX_ROOT_FIELDS: count.default(20),
  MAX_ALIASES: count.default(30),
  MAX_DIRECTIVES: count.default(20),
  MAX_DIRECTIVES_PER_NODE: count.default(4),
  MAX_COST: count.default(50_000),
  MAX_OBJECTS: count.default(100_000),
  INTROSPECTION: flag.default(true),
  TRUSTED_DOCUMENTS: list.optional(),
  TRUSTED_DOCUMENTS_MODE: z.enum(['off', 'log', 'enforce']).default('off'),
  HEADERS_TIMEOUT_MS: milliseconds.default(10_000),
  REQUEST_TIMEOUT_MS: milliseconds.default(300_000),
  BODY_TIMEOUT_MS: milliseconds.default(15_000),
  BODY_IDLE_TIMEOUT_MS: milliseconds.default(15_000),
  ANSWER_TIMEOUT_MS: milliseconds.default(60_000),
  SHUTDOWN_DELAY_MS: z.coerce.number().int().min(0).default(0),
  SHUTDOWN_TIMEOUT_MS: milliseconds.default(25_000),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  ACCESS_LOG: z.enum(['auto', 'on', 'off']).default('auto'),
  SANDBOX_PORT: port.optional(),
  SANDBOX_DATA: z.string().min(1).default('.sandbox'),
  SANDBOX_DIALECT: z.enum(['spec', 'connect']).default('spec'),
  SANDBOX_DELAY_MS: z.coerce.number().int().min(0).default(0),
  SANDBOX_FAIL_RATE: z.coerce.number().min(0).max(1).default(0),
});

export type Config = z.infer<typeof settings> & {
  /** Query parameters of the service that are not called as the contract supposes: operation → argument → parameter. */
  FILTERS: Partial<Record<EndpointName, Record<string, string>>>;
};

/**
 * The settings, read from environment variables. An empty variable counts as absent, but for FORWARD_HEADERS: none.
 * @throws Error that names the variables with values that cannot be used.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value !== '' || name === 'FORWARD_HEADERS'),
  );
  const result = settings.safeParse(given);
  if (!result.success) {
    const problems = result.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
    throw new Error(`These settings cannot be used:\n${problems.join('\n')}`);
  }
  const { WORKERS, IDEMPOTENCY_FILE, REDIS_URL, HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS } = result.data;
  const { TRUSTED_DOCUMENTS, TRUSTED_DOCUMENTS_MODE } = result.data;
  if (HEADERS_TIMEOUT_MS >= REQUEST_TIMEOUT_MS) {
    throw new Error('HEADERS_TIMEOUT_MS must be less than REQUEST_TIMEOUT_MS, which is for the body too.');
  }
  if (WORKERS > 1 && IDEMPOTENCY_FILE === ':memory:' && REDIS_URL === undefined) {
    throw new Error(
      'With WORKERS, IDEMPOTENCY_FILE must be a file: a worker does not see what another one keeps in memory.',
    );
  }
  if (TRUSTED_DOCUMENTS_MODE !== 'off' && !TRUSTED_DOCUMENTS?.length) {
    throw new Error('With TRUSTED_DOCUMENTS_MODE, TRUSTED_DOCUMENTS must name the manifests of the documents.');
  }
  return { ...result.data, FILTERS: filterNames(given) };
}

/** A misspelt filter name would silently filter nothing. */
function requireKnownFilters(environment: NodeJS.ProcessEnv): void {
  const known = new Set(allFilters().map(({ endpoint, argument }) => filterVariable(endpoint, argument)));
  const unknown = Object.keys(environment).filter((name) => name.startsWith('FILTER_') && !known.has(name));
  if (unknown.length > 0)
    throw new Error(`No such settings: ${unknown.join(', ')}. There are ${[...known].join(', ')}.`);
}

function allFilters(): { endpoint: EndpointName; argument: string }[] {
  return Object.entries(endpoints).flatMap(([operation, endpoint]) =>
    Object.keys('filters' in endpoint ? endpoint.filters : {}).map((argument) => ({
      endpoint: operation as EndpointName,
      argument,
    })),
  );
}

/** `FILTER_FARMERS_FIRST_NAME=first_name__icontains` renames the parameter behind `farmers(first_name:)`. */
function filterNames(environment: NodeJS.ProcessEnv): Config['FILTERS'] {
  requireKnownFilters(environment);
  const renamed: Config['FILTERS'] = {};
  for (const { endpoint, argument } of allFilters()) {
    const parameter = environment[filterVariable(endpoint, argument)];
    if (parameter !== undefined) renamed[endpoint] = { ...renamed[endpoint], [argument]: parameter };
  }
  return renamed;
}

function filterVariable(operation: string, argument: string): string {
  const list = operation.replace(/^list/, '').replace(/(?<!^)[A-Z]/g, '_$&');
  return `FILTER_${list}_${argument}`.toUpperCase();
}
