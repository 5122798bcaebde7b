import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../support/fake-upstream.ts';
import { failure, htmlPage, type RecordedService, startRecordedService } from '../support/recorded-service.ts';
import type { Json } from '../support/rest.ts';

let service: RecordedService;
beforeAll(async () => {
  service = await startRecordedService();
});
afterAll(() => service.close());

const detail = (text: string, more = {}) => ({ detail: text, ...more });
const tokenNotValid = detail('Given token not valid for any token type', {
  code: 'token_not_valid',
  messages: [{ token_class: 'AccessToken', token_type: 'access', message: 'Token is invalid or expired' }],
});

describe('a caller who is not signed in', () => {
  test.each<[string, Reply]>([
    [
      'V23, no token',
      failure(401, detail('Authentication credentials were not provided.'), { 'www-authenticate': 'Bearer' }),
    ],
    ['V23, an expired token', failure(401, tokenNotValid)],
    ['V25, no token', failure(403, detail('Authentication credentials were not provided.'))],
    ['V25, an expired token', failure(403, tokenNotValid)],
    [
      'V25, two tokens',
      failure(
        403,
        detail('Authorization header must contain two space-delimited values', { code: 'bad_authorization_header' }),
      ),
    ],
    ['V25, a user that is gone', failure(403, detail('User not found', { code: 'user_not_found' }))],
    ['V25, a user that may not sign in', failure(403, detail('User is inactive', { code: 'user_inactive' }))],
    ['V25, logged out on that device', failure(403, detail('Device deactivated login again.'))],
  ])('gets UNAUTHENTICATED for reads and writes (%s)', async (_case, reply) => {
    service.answerWith({ 'GET /supply-chains/farmers/': reply, 'POST /catalogs/premiums/': reply });
    for (const document of ['{ farmers { count } }', 'mutation { createPremium(input: { name: "A" }) { id } }']) {
      const { status, errors } = await service.query(document);
      expect(status).toBe(200);
      expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED', upstream_status: reply.status } }]);
    }
  });

  test('gets another code than a caller who may not', async () => {
    service.answerWith({
      'GET /supply-chains/farmers/': failure(403, detail('You do not have permission to perform this action.')),
    });
    const { errors } = await service.query('{ farmers { count } }');
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', upstream_status: 403 } }]);
  });
});

test.each<[Reply, string, object]>([
  [htmlPage(500, 'Server Error (500)'), 'OUTCOME_UNKNOWN', { upstream_status: 500, retryable: false }],
  [failure(500, detail('Sorry.')), 'OUTCOME_UNKNOWN', { upstream_status: 500 }],
  [{ ...failure(500, detail('Sorry.')), status: 200 }, 'OUTCOME_UNKNOWN', { upstream_status: 500 }],
  [htmlPage(501, 'Not Implemented'), 'UPSTREAM_ERROR', { upstream_status: 501 }],
  // The gateway sends unix seconds here, so the time itself is wrong.
  [failure(400, detail('Unix timestamps must be float or int')), 'BAD_USER_INPUT', { upstream_status: 400 }],
  [htmlPage(413, 'Request Entity Too Large'), 'PAYLOAD_TOO_LARGE', { upstream_status: 413 }],
  [htmlPage(400, 'Bad Request'), 'BAD_USER_INPUT', { upstream_status: 400 }],
  [htmlPage(301, 'Moved', { location: '/connect/v1/catalogs/premiums' }), 'UPSTREAM_INVALID_RESPONSE', {}],
  [htmlPage(404, 'Not Found'), 'UPSTREAM_INVALID_RESPONSE', { upstream_status: 404 }],
  [failure(405, detail('Method "POST" not allowed.')), 'UPSTREAM_ERROR', { upstream_status: 405 }],
  [failure(406, detail('Could not satisfy the request Accept header.')), 'UPSTREAM_ERROR', {}],
  [failure(415, detail('Unsupported media type "text/plain" in request.')), 'UNSUPPORTED_MEDIA_TYPE', {}],
  [
    failure(429, detail('Request was throttled. Expected available in 60 seconds.'), { 'retry-after': '0' }),
    'RATE_LIMITED',
    { retry_after: 0, retryable: true },
  ],
])('turns %j into %s after one call, without its text', async (reply, code, more) => {
  service.answerWith({ 'POST /catalogs/premiums/': reply });
  const { status, data, errors, calls } = await service.query(
    'mutation { createPremium(input: { name: "A" }) { id } }',
  );
  expect({ status, data }).toEqual({ status: 200, data: { createPremium: null } });
  expect(errors).toMatchObject([{ extensions: { code, ...more } }]);
  expect(calls).toEqual(['POST /catalogs/premiums/']);
  expect(JSON.stringify(errors)).not.toMatch(/<|connect\/v1|127\.0\.0\.1|throttled|UPSTREAM_DIALECT/);
});

test('answers NOT_FOUND for an id that is unknown, malformed or foreign, refused in JSON or HTML', async () => {
  for (const reply of [failure(404, detail('Not found.')), htmlPage(404, 'Not Found')]) {
    service.answerWith({ 'GET /supply-chains/farmers/a/': reply });
    const { errors } = await service.query('{ farmer(id: "a") { gender } }');
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', reference: { type: 'Farmer', id: 'a' } } }]);
  }
});

describe('a validation error of the service stands at its place in the input', () => {
  const form = 'mutation { createForm(input: { owner: "A", fields: [{ label: "a" }, { label: "b" }] }) { id } }';
  const card = 'mutation { createEntityCard(input: { entity: "A", card: { card_id: "B" } }) { id } }';
  const company = 'mutation { createCompany(input: { name: "A" }) { id } }';
  const transaction = 'mutation { createPaymentTransaction(input: { premium: "A", submissions: ["B"] }) { id } }';
  const paths: Record<string, string> = {
    createForm: '/forms/forms/',
    createEntityCard: '/supply-chains/entity-cards/',
    createCompany: '/supply-chains/companies/',
    createPaymentTransaction: '/transactions/payment-transactions/',
  };

  test.each<[string, unknown, [path: (string | number)[], message: string][]]>([
    [
      company,
      { name: ['May not be blank.'], email: ['Enter a valid email.'] },
      [
        [['name'], 'May not be blank.'],
        [['email'], 'Enter a valid email.'],
      ],
    ],
    [company, { name: 'This field is required.' }, [[['name'], 'This field is required.']]],
    [
      form,
      { fields: [{}, { type: ['This field is required.'] }] },
      [[['fields', 1, 'type'], 'This field is required.']],
    ],
    [card, { card: { non_field_errors: ['Invalid data.'] } }, [[['card'], 'Invalid data.']]],
    [
      card,
      ["Either 'display_id' or 'card_id' must be provided."],
      [[[], "Either 'display_id' or 'card_id' must be provided."]],
    ],
    [
      card,
      { non_field_errors: ['The fields card, entity must make a unique set.'] },
      [[[], 'The fields card, entity must make a unique set.']],
    ],
    [
      transaction,
      { submissions: [{ values: [{ field: ['Unknown.'] }, {}], form: ['Unknown form.'] }] },
      [
        [['submissions', 0, 'values', 0, 'field'], 'Unknown.'],
        [['submissions', 0, 'form'], 'Unknown form.'],
      ],
    ],
  ])('%s: %j', async (document, message, fields) => {
    const [, mutation = ''] = /(create\w+)/.exec(document) ?? [];
    service.answerWith({ [`POST ${paths[mutation]}`]: failure(400, message) });
    const { errors } = await service.query(document);
    expect(errors).toMatchObject([
      {
        extensions: {
          code: 'BAD_USER_INPUT',
          fields: fields.map(([path, text]: Json) => ({ path: ['input', ...path], message: text })),
        },
      },
    ]);
  });

  test('under the name of the argument, for a filter', async () => {
    service.answerWith({
      'GET /transactions/product-transactions/': failure(400, { only_quantity_available: ['Enter a number.'] }),
    });
    const { errors } = await service.query('{ productTransactions(quantity_available: true) { count } }');
    expect(errors).toMatchObject([{ extensions: { fields: [{ path: ['quantity_available'] }] } }]);
  });
});
