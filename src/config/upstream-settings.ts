import type { EndpointName } from '@gateway/contract';
import { z } from 'zod';
import { serviceContract } from '../service-contract.ts';
import type { Bases } from './bases.ts';
import { derivedFrom } from './derived.ts';
import { group, setting } from './setting.ts';
import * as value from './values.ts';

const { data } = serviceContract;

/**
 * Headers that belong to the connection or the body would contradict the headers of the call. Those that choose the form of
 * the answer would bring compressed, partial or empty answers, which the gateway cannot read.
 */
const ownHeaders =
  /^(accept|accept-(charset|encoding)|connection|content-(encoding|length|type)|expect|host|if-.*|keep-alive|prefer|proxy-(authorization|connection)|range|te|trailer|transfer-encoding|upgrade)$/;

const httpUrl = (noQuery: string) =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .refine((url) => !/[?#]/.test(url), noQuery)
    .refine((url) => !/^\w+:\/\/[^/]*@/.test(url), 'must hold no user name and no password');

const forwardedHeaders = () =>
  value
    .lowerCaseList()
    .refine(
      (listed) => listed.every((name) => /^[\w-]+$/.test(name) && !ownHeaders.test(name)),
      'must be names of headers that leave the connection and the form of answers alone, with commas between them',
    );

const claimPath = () =>
  z.string().regex(/^[^\s.,]+(\.[^\s.,]+)*$/, 'must be the path of a claim, with dots between its names');

/** Query parameters that the service names differently: endpoint → filter argument → parameter. */
type FilterNames = Partial<Record<EndpointName, Record<string, string>>>;

/** The filter arguments of each endpoint that has some. */
export const filterArguments = Object.entries(data.endpoints).flatMap(([endpoint, { filters }]) =>
  filters ? [[endpoint, Object.keys(filters)] as const] : [],
);

function filterNames(): z.ZodType<FilterNames> {
  const shape = filterArguments.map(([endpoint, names]) => {
    const parameters = z.strictObject(Object.fromEntries(names.map((name) => [name, value.text().optional()])));
    return [endpoint, parameters.optional()];
  });
  return z.strictObject(Object.fromEntries(shape)) as unknown as z.ZodType<FilterNames>;
}

/** How the gateway speaks to the service, and what it does when that fails. */
export function upstreamSettings(bases: Bases) {
  const { memory, callMs } = bases;
  const { ofMemory, perGiB, withinUpload } = derivedFrom(bases);
  const { signIn } = data.key;
  return {
    upstream: group('The REST service, and how the gateway speaks to it.', {
      url: setting(httpUrl('must end with the version segment: no query, no fragment').optional(), {
        about: 'Base URL of the service, with its version segment.',
        none: 'the embedded sandbox, except under `NODE_ENV=production`',
        variable: 'UPSTREAM_URL',
        readsEmpty: true,
      }),
      dialect: setting(z.enum(['auto', ...data.dialects.map(({ name }) => name)]).default('auto'), {
        about:
          '`spec` takes ISO 8601. `connect` is a real deployment, with unix seconds. `auto` finds it out before the first write.',
        variable: 'UPSTREAM_DIALECT',
        readsEmpty: true,
      }),
      unknownOptions: setting(z.enum(['refuse', 'send']).default('refuse'), {
        about: 'A `selected_option` that the gateway cannot check. A wrong one breaks every list with its payment.',
      }),
      language: setting(
        z
          .string()
          .regex(/^[\w*,;=. -]+$/, 'must be what Accept-Language may be')
          .optional(),
        {
          about: '`Accept-Language` of every call, in place of what clients send.',
          variable: 'UPSTREAM_LANGUAGE',
        },
      ),
      forwardHeaders: setting(forwardedHeaders().default(['accept-language', ...(signIn ? [signIn.header] : [])]), {
        about: 'Request headers that go to the service, beside that of the API key.',
        variable: 'FORWARD_HEADERS',
        readsEmpty: true,
      }),
      claims: group('Claims of JSON Web Tokens, by paths such as `session_data.entity_id`.', {
        caller: setting(value.list(claimPath()).default([]), {
          about:
            'Claims that make a caller, such as `user_id,session_data.entity_id`: all by which the service decides what it shows.',
          none: 'the API key makes the caller',
          change: 'Set it when tokens live for minutes.',
          variable: 'CALLER_CLAIMS',
        }),
        me: setting(claimPath().optional(), {
          about: 'Claim with the id of the user, for `me`.',
          variable: 'ME_CLAIM',
        }),
        company: setting(claimPath().optional(), {
          about: 'Claim with the id of the active company, for `activeCompany`.',
          variable: 'COMPANY_CLAIM',
        }),
      }),
      productTransactionsFilterBy: setting(z.string().trim().optional(), {
        about: 'Sent as `filter_by` when product transactions are read.',
        none: '`all` in the dialect `connect`',
        change: '`user` shows a caller only its own.',
        variable: 'PRODUCT_TRANSACTIONS_FILTER_BY',
        readsEmpty: true,
      }),
      filters: setting(filterNames().default({}), {
        about: 'Query parameters by endpoint and argument, where the service names a filter differently.',
      }),
      connections: perGiB(1_024, 16, {
        about: 'Connections to the service; calls beyond them wait.',
        change: 'Lower it when the service takes fewer.',
      }),
      connectionsPerCaller: perGiB(512, 8, { about: 'Those for one caller.' }),
      adaptiveConcurrency: setting(value.flag().default(true), {
        about: 'Whether the gateway bounds the calls in flight by what the service answers.',
        change: 'Set it to `false` when calls are slow for other reasons than load.',
      }),
      answerBytes: setting(value.bytes().default(Math.min(8 * value.MiB, memory(1 / 64))), {
        about: 'Bytes of one answer of the service; the gateway cuts a longer one.',
        derived: 'at most 1/64 of the memory',
        variable: 'MAX_UPSTREAM_ANSWER_BYTES',
      }),
      answersBytes: ofMemory(8, {
        about: 'Bytes of all answers of the service that are under way; those below 64 KiB do not count.',
      }),
      timeouts: group('', {
        readMs: setting(value.ms().default(callMs), {
          about: 'For the answer to a GET, retries included.',
        }),
        connectMs: setting(value.ms().default(Math.min(1_000, callMs)), {
          about: 'To connect.',
          derived: 'at most that of a call',
        }),
        writeMs: setting(value.ms().default(Math.ceil((callMs * 3) / 4)), {
          about: 'For the answer to a POST or PATCH.',
          derived: '3/4 of a call',
        }),
        uploadIdleMs: withinUpload(60_000, { about: 'For the next piece of an upload.' }),
      }),
    }),
    media: group('Pictures and invoices.', {
      url: setting(httpUrl('must have no query and no fragment').optional(), {
        about: 'Base of the URLs of files: what stands before `/media/…`.',
        none: 'the origin of `UPSTREAM_URL`',
        variable: 'MEDIA_URL',
        readsEmpty: true,
      }),
      proxy: setting(value.flag().default(false), {
        about:
          '`true`: the gateway serves the files of the service itself. `MEDIA_URL` is then the address of the gateway for clients.',
        variable: 'MEDIA_PROXY',
        readsEmpty: true,
      }),
      running: perGiB(100, 4, { about: 'Files that the gateway serves at once, a quarter to one API key.' }),
    }),
    retries: group('', {
      max: setting(value.countOrNone().default(2), { about: 'Retries of one GET; 0: none.' }),
      baseMs: setting(value.ms().default(70), {
        about: 'Longest pause before the first retry, doubled for each further one.',
      }),
      capMs: setting(value.ms().default(2_000), {
        about: 'Longest pause, except where `Retry-After` asks for more.',
      }),
      share: setting(value.share().default(0.2), {
        about: 'Share of the GETs in flight that may be retries; three always may.',
      }),
    }),
    circuitBreaker: group('', {
      calls: setting(value.countOrNone().default(150), {
        about: 'Calls that fail one after the other before a circuit opens; 0: never.',
      }),
      probeIntervalMs: setting(value.ms().default(200), { about: 'From one probe of an open circuit to the next.' }),
      probeWaitMs: setting(value.ms().default(40), {
        about: 'Longest wait of a read for the answer to a probe.',
      }),
    }),
  };
}
