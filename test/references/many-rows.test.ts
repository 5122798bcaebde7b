import { expect, test } from 'vitest';
import { listReply } from '../support/changing-list.ts';
import { startFakedGateway } from '../support/harness.ts';
import { paths } from '../support/rest-reads.ts';

test('an object that the last of 1,000 rows embeds takes no call for the others, which have its id alone', async () => {
  await using faked = await startFakedGateway();
  const rows = Array.from({ length: 1_000 }, (_, at) => ({
    id: `T${at}`,
    created_on: new Date(1_700_000_000_000 - at).toISOString(),
    card: 'K',
    card_details: at < 999 ? null : { id: 'K', display_id: 'Embedded' },
  }));
  const others: string[] = [];
  faked.upstream.respond = ({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    if (pathname !== paths.productTransactions) {
      others.push(pathname);
      return listReply(0, []);
    }
    const offset = Number(searchParams.get('offset'));
    return listReply(rows.length, rows.slice(offset, offset + Number(searchParams.get('limit'))));
  };

  const { data } = await faked.query(
    '{ productTransactions(limit: 1000) { results { card_details { display_id } } } }',
  );
  expect(others).toEqual([]);
  expect(data.productTransactions.results).toEqual(rows.map(() => ({ card_details: { display_id: 'Embedded' } })));
});
