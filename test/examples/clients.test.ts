import { beforeAll, describe, expect, test } from 'vitest';
import { openExample } from '../support/example.ts';
import { startGateway } from '../support/harness.ts';
import { scrape } from '../support/scrape.ts';

const example = openExample('clients');

describe.skipIf(example.skip)('the programs of examples/clients', () => {
  // Also checks types, and writes the files that relay.ts imports.
  beforeAll(() => example.run('npm', ['run', 'check']), 120_000);

  /** Runs a program over a gateway of its own, and returns its output and its REST calls. */
  async function run(program: string) {
    await using gateway = await startGateway({ file: { graphql: { countedElements: 'all' } } });
    const printed = await example.run(process.execPath, [program], { GATEWAY_URL: gateway.url });
    const calls = gateway.sandbox.calls().map(({ method, path }) => `${method} ${path}`);
    const counted = await scrape(gateway.url, 'gateway_element_uses_total');
    const clients = [...new Set(counted.map(({ labels }) => labels.client))];
    return { answer: JSON.parse(printed), calls, clients };
  }

  const names = ['Ɔbaa Yaa Osei', 'Immaculée Uwimana', 'Syafruddin Siregar', 'Yaa Adjei'];
  const twoPages = ['GET /supply-chains/farmers/?limit=2&offset=0', 'GET /supply-chains/farmers/?limit=2&offset=2'];

  test.concurrent.each(['fetch.ts', 'graphql-request.ts'])(
    '%s pages through a list, repeats a mutation, and reads the codes of errors',
    async (program) => {
      expect(await run(program)).toEqual({
        answer: { names, created: 'Esi', createdOnce: true, refused: ['BAD_USER_INPUT'] },
        calls: [...twoPages, 'POST /supply-chains/farmers/'],
        clients: ['examples'],
      });
    },
  );

  test.concurrent.each([
    ['apollo.ts', ['NOT_FOUND'], 'apollo-example'],
    ['urql.ts', ['NOT_FOUND'], 'examples'],
    // Relay shows the data alone.
    ['relay.ts', null, 'examples'],
  ])(
    '%s joins pages to one list, shows the answers of mutations without another request, and takes an error beside data',
    async (program, missing, client) => {
      const { answer, calls, clients } = await run(program);

      expect(clients).toEqual([client]);

      expect(answer).toMatchObject({
        names,
        before: {
          current_quantity: '327.452',
          destination: { __typename: 'Company', name: 'Sankofa Growers Cooperative Union' },
        },
        now: { current_quantity: '0.000', destination: { __typename: 'Company', name: 'Sankofa' } },
        missing,
      });
      expect(calls).toEqual([
        ...twoPages,
        'GET /transactions/product-transactions/Q24C3ANSD8/',
        'GET /supply-chains/companies/J7VY4SD9HV/',
        'PATCH /supply-chains/companies/J7VY4SD9HV/',
        'POST /transactions/product-transactions/',
        // The mutation asks for the remaining quantity.
        'GET /transactions/product-transactions/Q24C3ANSD8/',
        'GET /transactions/product-transactions/NOSUCHIDXX/',
      ]);
    },
  );
});
