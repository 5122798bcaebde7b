import { expect, test } from 'vitest';
import { traceability } from '../../../src/app.ts';
import { startGateway } from '../../../test/support/harness.ts';
import { Contract } from '../../contract/contract.ts';
import { createLogger } from '../../graphql-serve/watch/logger.ts';
import { ask, type OtherService, startService } from './other-service.ts';

const { data } = traceability.contract;
const app = { ...traceability, contract: new Contract({ ...data, key: { header: 'X-Library-Key', claims: [] } }) };

let service: OtherService;
const settings = { 'cache.lists.ttlMs': '600000', CORS_ORIGINS: 'https://app.example' };

/** A gateway over a service that takes the key in another header, and nothing from `Authorization`. */
const start = () =>
  startGateway({
    app,
    settings,
    upstreamUrl: async (sandboxUrl) => {
      service = await startService(sandboxUrl, (request) =>
        ask(sandboxUrl, request, { authorization: String(request.headers['x-library-key']) }),
      );
      return service.url;
    },
  });

const withKey = (key: string, headers = {}) => ({ key: null, headers: { 'x-library-key': key, ...headers } });

test('the key goes to the service in its header, and makes the caller', async () => {
  await using gateway = await start();
  const document = '{ products(limit: 1) { results { name } } }';
  const own = await gateway.query(document, {}, withKey('demo-coop'));
  const other = await gateway.query(document, {}, withKey('demo-buyer'));
  expect([own.errors, other.errors]).toEqual([[], []]);
  expect(other.data).not.toEqual(own.data);
  expect(service.requests.map(({ headers }) => [headers['x-library-key'], headers.authorization])).toEqual([
    ['demo-coop', undefined],
    ['demo-buyer', undefined],
  ]);
});

test('errors name the header', async () => {
  await using gateway = await start();
  const document = '{ currencies(limit: 1) { count } }';
  const none = await gateway.query(document);
  expect(none.errors).toMatchObject([
    { message: 'Send the API key in the X-Library-Key header.', extensions: { code: 'UNAUTHENTICATED' } },
  ]);
  expect(service.requests).toEqual([]);
  const unknown = await gateway.query(document, {}, withKey('nobody'));
  expect(unknown.errors).toMatchObject([
    { message: 'The service does not accept the X-Library-Key header.', extensions: { code: 'UNAUTHENTICATED' } },
  ]);
  const upload = await gateway.upload('mutation { __typename }', {}, new File(['a'], 'a'), {
    headers: { 'apollo-require-preflight': 'true' },
  });
  expect([upload.status, await upload.text()]).toEqual([401, expect.stringContaining('X-Library-Key')]);
});

test('pages of other origins may send the header', async () => {
  await using gateway = await start();
  const { headers } = await gateway.send({
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  });
  const allowed = headers.get('access-control-allow-headers')?.split(', ');
  expect(allowed).toContain('x-library-key');
  expect(allowed).not.toContain('authorization');
});

test('the log hides the header', () => {
  const lines: string[] = [];
  const logger = createLogger({ level: 'info' }, { write: (text) => void lines.push(text) }, app.contract.keyHeader);
  logger.info({ 'x-library-key': 'secret-1', sent: { 'x-library-key': 'secret-2', authorization: 'secret-3' } });
  expect(lines.join()).toContain('"x-library-key":"[Redacted]"');
  expect(lines.join()).not.toContain('secret');
});
