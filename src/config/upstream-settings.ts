import type { Contract, EndpointName } from '@gateway/rest-graph';
import { z } from 'zod';
import type { Bases } from './bases.ts';
import { group, setting } from './setting.ts';
import * as value from './values.ts';

/**
 * Headers that belong to the connection or the body would contradict the headers of the call. Those that choose the form of
 * the answer would bring compressed, partial or empty answers, which the gateway cannot read.
 */
const ownHeaders =
  /^(accept|accept-(charset|encoding)|connection|content-(encoding|length|type)|expect|host|if-.*|keep-alive|prefer|proxy-(authorization|connection)|range|te|trailer|transfer-encoding|upgrade)$/;

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

const forwardedHeaders = () =>
  value
    .lowerCaseList()
    .refine(
      (listed) => listed.every((name) => /^[\w-]+$/.test(name) && !ownHeaders.test(name)),
      'must be names of headers that leave the connection and the form of answers alone, with commas between them',
    );

const claimPath = () =>
  z.string().regex(/^[^\s.,]+(\.[^\s.,]+)*$/, 'must be the path of a claim, with dots between its names');
const claimPaths = () => value.list().pipe(z.array(claimPath()));

/** Query parameters that the service names differently: endpoint → filter argument → parameter. */
type FilterNames = Partial<Record<EndpointName, Record<string, string>>>;

/** The filter arguments of each endpoint that has some. */
export function filterArguments({ data }: Contract): readonly (readonly [EndpointName, readonly string[]])[] {
  return Object.entries(data.endpoints).flatMap(([endpoint, described]) =>
    described.filters ? [[endpoint as EndpointName, Object.keys(described.filters)] as const] : [],
  );
}

function filterNames(contract: Contract): z.ZodType<FilterNames> {
  const shape = filterArguments(contract).map(([endpoint, names]) => {
    const parameters = z.strictObject(Object.fromEntries(names.map((name) => [name, value.text().optional()])));
    return [endpoint, parameters.optional()];
  });
  return z.strictObject(Object.fromEntries(shape)) as unknown as z.ZodType<FilterNames>;
}

/** How the gateway speaks to the service, and what it does when that fails. */
export function upstreamSettings({ capacity, memory, callMs, uploadMs }: Bases, contract: Contract) {
  const { signIn } = contract.data.key;
  return {
    upstream: group('The REST service, and how the gateway speaks to it.', {
      url: setting(serviceUrl().optional(), {
        about: 'Base URL of the service, with its version segment.',
        none: 'the embedded sandbox, except under `NODE_ENV=production`',
        variable: 'UPSTREAM_URL',
        readsEmpty: true,
      }),
      dialect: setting(z.enum(['auto', ...contract.data.dialects.map(({ name }) => name)]).default('auto'), {
        about:
          '`connect`: the gateway sends date-times as unix seconds, and refuses what a real deployment fails on or stores broken. `auto` finds it out before the first write. The embedded sandbox has `SANDBOX_DIALECT`.',
        change: 'When the log says that the service speaks another dialect.',
        variable: 'UPSTREAM_DIALECT',
        readsEmpty: true,
      }),
      unknownOptions: setting(z.enum(['refuse', 'send']).default('refuse'), {
        about:
          'A `selected_option` that the gateway cannot check, because no answer shows its premium. Only `connect` checks options.',
        change:
          'When the service gives no premiums by id, and clients pay premiums that nobody has paid yet. A wrong option breaks every list with its payment for ever.',
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
      forwardHeaders: setting(forwardedHeaders().default(['accept-language', ...(signIn ? [signIn.header] : [])]), {
        about: 'Request headers that go to the service, beside that of the API key. An empty variable: none.',
        variable: 'FORWARD_HEADERS',
        readsEmpty: true,
      }),
      claims: group('Claims of JSON Web Tokens, by paths such as `session_data.entity_id`.', {
        caller: setting(claimPaths().default([]), {
          about:
            'The claims that make a caller, such as `user_id,session_data.entity_id,session_data.member_type`: all by which the service decides what it shows. A token that is sent as `Bearer` counts when the service has accepted it.',
          none: 'the API key makes the caller',
          change: 'When tokens live shorter than a client needs to send a mutation again.',
          variable: 'CALLER_CLAIMS',
        }),
        me: setting(claimPath().optional(), {
          about: 'The claim with the id of the user, such as `user_id`.',
          none: '`me` is an error',
          variable: 'ME_CLAIM',
        }),
        company: setting(claimPath().optional(), {
          about: 'The claim with the id of the active company, such as `session_data.entity_id`.',
          none: '`activeCompany` is an error',
          variable: 'COMPANY_CLAIM',
        }),
      }),
      productTransactionsFilterBy: setting(z.string().trim().optional(), {
        about: 'Sent as `filter_by` when product transactions are read. An empty variable: none.',
        none: '`all` in the dialect `connect`, which shows what the company trades',
        change: 'When a caller is to see only its own; `user` asks for these.',
        variable: 'PRODUCT_TRANSACTIONS_FILTER_BY',
        readsEmpty: true,
      }),
      filters: setting(filterNames(contract).default({}), {
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
        about: 'Connections for one caller at most.',
        derived: '512 for each GiB of memory.',
      }),
      adaptiveConcurrency: setting(value.flag().default(true), {
        about:
          'Whether the gateway bounds the calls in flight by what the service answers, and lets the others wait. `false`: `upstream.connections` alone bounds them.',
        change: 'To `false` when calls are slow for other reasons than load, such as locks inside the service.',
      }),
      answerBytes: setting(value.bytes().default(Math.min(8 * value.MiB, memory(1 / 64))), {
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
          '`true`: the gateway serves the files of the service below `/media/`, to those whose API key the service accepts. `MEDIA_URL` is then the address of the gateway for clients.',
        change: 'When only the gateway reaches the service.',
        variable: 'MEDIA_PROXY',
        readsEmpty: true,
      }),
      running: setting(value.count().default(Math.max(4, capacity(100))), {
        about: 'Files that the gateway serves at the same time, a quarter of them to one API key.',
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
  };
}
