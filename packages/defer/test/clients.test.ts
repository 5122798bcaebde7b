import { describe, expect, test } from 'vitest';
import { openExample } from '../../../test/support/example.ts';
import { startGateway } from '../../../test/support/harness.ts';

const example = openExample('clients');

describe.skipIf(example.skip)('a program of examples/clients', () => {
  test.each(['apollo-defer.ts', 'urql-defer.ts'])(
    '%s shows the first part, and then the whole answer',
    async (program) => {
      await using gateway = await startGateway();

      const shown = JSON.parse(await example.run(process.execPath, [program], { GATEWAY_URL: gateway.url }));

      const buyer = { id: 'J7VY4SD9HV', name: 'Sankofa Growers Cooperative Union' };
      const rowsOf = (index: number) => withoutTypes(shown.at(index)).farmers.results;
      const names = ['Ɔbaa Yaa Osei', 'Immaculée Uwimana'];
      expect(rowsOf(0)).toEqual(names.map((name) => ({ id: expect.any(String), name })));
      expect(rowsOf(-1)).toEqual(names.map((name) => ({ id: expect.any(String), name, buyer })));
      expect(gateway.sandbox.calls().map(({ path }) => path)).toEqual([
        '/supply-chains/farmers/?limit=2&offset=0',
        '/supply-chains/companies/J7VY4SD9HV/',
      ]);
    },
  );
});

// biome-ignore lint/suspicious/noExplicitAny: programs print whatever they have got
function withoutTypes(data: unknown): any {
  return JSON.parse(JSON.stringify(data, (key, value) => (key === '__typename' ? undefined : value)));
}
