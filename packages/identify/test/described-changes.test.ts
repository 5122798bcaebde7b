import { expect, test } from 'vitest';
import { lineage } from '../../lineage/index.ts';
import { archive, archiveParts } from '../../rest-graph/test/archive.ts';
import { startDescribed } from '../../rest-graph/test/described-service.ts';
import { totals } from '../../totals/index.ts';
import { identify } from '../index.ts';

const jsonOf = (schema: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } });

/** The archive with a write of loans. Its filter for changes takes ISO 8601, under a name that GraphQL cannot have. */
function document() {
  const { paths, components, ...others } = archive();
  const responses = { 201: { content: jsonOf('Loan') } };
  paths['/loans'].post = { operationId: 'createLoan', requestBody: { content: jsonOf('LoanWrite') }, responses };
  const LoanWrite = { type: 'object', properties: { barcode: { type: 'string' } } };
  return JSON.stringify({
    ...others,
    paths,
    components: { ...components, schemas: { ...components.schemas, LoanWrite } },
  });
}

test('after a write, a field of holders reads the rows that have changed since', async () => {
  const made = (barcode: string, n: number) => ({
    ...{ id: 1_000 - n, barcode, is_out: true, borrower_id: 7, item_id: 1, item_kind: 'Film', days: 1 },
    made_at: new Date(Date.now() - n * 60_000).toISOString(),
  });
  const loans = Array.from({ length: 120 }, (_, n) => made(`B-${n}`, n + 1));
  const parts = { keys: archiveParts, fields: () => [identify, lineage, totals] };
  const { query } = await startDescribed({ document: document(), parts }, ({ method, path, body }) => {
    if (method === 'POST') loans.unshift({ ...made('', 0), ...(body as object), borrower_id: 9 });
    if (method === 'POST') return { status: 201, body: loans[0] };
    const { pathname, searchParams } = new URL(path, 'http://archive');
    if (pathname !== '/loans') return { status: 404, body: {} };
    const since = searchParams.get('changed-since') ?? '';
    const [size, page] = [Number(searchParams.get('size')), Number(searchParams.get('page'))];
    const matching = loans.filter(({ made_at }) => made_at > since);
    return { status: 200, body: { total: matching.length, data: matching.slice((page - 1) * size, page * size) } };
  });
  const ask = (operation: string) => query(operation, {}, 'demo', { 'x-key': 'demo' });
  const find = (barcode: string) => ask(`{ itemHolder(barcode: "${barcode}") { holder_id complete } }`);
  expect((await find('B-99')).data.itemHolder).toEqual({ holder_id: '7', complete: true });

  await ask('mutation { createLoan(input: { barcode: "N-1" }) { id } }');
  const { data, errors, calls } = await find('N-1');
  expect([data.itemHolder, errors]).toEqual([{ holder_id: '9', complete: true }, []]);
  expect(calls[0]).toMatch(/^GET \/loans\?changed-since=\d{4}-/);
});
