import { withChanges } from '@gateway/base';
import { createLogger, defaultSettings, serve } from '@gateway/graphql-serve';
import { push } from '@gateway/push';
import { defaultOptions, openService } from '@gateway/rest-graph';
import { totals } from '@gateway/totals';
import { afterEach, expect, test } from 'vitest';
import { library } from '../../examples/second-service/app.ts';
import { startLibrary } from '../../examples/second-service/service.ts';
import { clientOf } from '../support/client.ts';
import { flatCosts } from '../support/cost-profiles.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

test('a server without replicas refuses a write with a key before any call, and makes the others', async () => {
  const rest = await startLibrary();
  opened.push(rest);
  const { upstream, limits } = defaultOptions;
  const service = openService(library, {
    upstream: { ...upstream, url: rest.url, costs: flatCosts },
    limits,
    parts: [push, totals],
  });
  const settings = withChanges(defaultSettings, { server: { port: 0 } });
  const gateway = await serve(service, {
    settings,
    logger: createLogger({ level: 'silent' }, process.stdout, 'X-Library-Key'),
  });
  opened.push(gateway);
  const { ask } = clientOf(gateway.url);
  const own = { 'x-library-key': 'demo-desk' };
  const withKey = { key: null, headers: { ...own, 'idempotency-key': 'loan-1' } };
  const mutation = 'mutation { createLoan(input: { copy: 5120, borrower: 2, due_on: "2099-01-31" }) { copy_id } }';

  const refused = await ask(mutation, withKey);
  expect([refused.status, refused.body]).toEqual([
    400,
    {
      errors: [
        {
          message: 'This server keeps no records of writes: send no Idempotency-Key.',
          extensions: expect.objectContaining({ code: 'BAD_USER_INPUT' }),
        },
      ],
    },
  ]);
  expect(rest.calls).toEqual([]);

  expect((await ask('{ works(limit: 1) { results { id } } }', withKey)).body.errors).toBeUndefined();
  rest.calls.length = 0;
  const made = await ask(mutation, { key: null, headers: own });
  expect(made.body).toEqual({ data: { createLoan: { copy_id: '5120' } } });
  expect(rest.calls).toEqual(['POST /loans/']);
});
