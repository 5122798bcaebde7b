import { describe, expect, test } from 'vitest';
import { listReply } from '../support/changing-list.ts';
import { codesOf } from '../support/client.ts';
import { startFakedGateway } from '../support/harness.ts';
import { paths } from '../support/rest-reads.ts';

describe('entity cards in the order of their changes', () => {
  const ids = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
  /** Reads all pages of two rows. After the first page, the rows at these places change one after the other. */
  const readWhileMoving = async (moved: readonly number[], page: 'after' | 'before') => {
    await using faked = await startFakedGateway({}, { sandbox: { dialect: 'connect' } });
    const rows = ids.map((id, at) => ({ id, card: 'X', entity: 'Y', updated_on: String(1_700_000_000 + at) }));
    faked.upstream.respond = ({ path }) => {
      const { pathname, searchParams } = new URL(path, 'http://service');
      if (pathname !== paths.entityCards) return undefined;
      const found = rows.filter(({ updated_on }) => Number(updated_on) > Number(searchParams.get('updated_after')));
      const offset = Number(searchParams.get('offset'));
      found.sort((a, b) => Number(a.updated_on) - Number(b.updated_on));
      return listReply(found.length, found.slice(offset, offset + Number(searchParams.get('limit'))));
    };
    const [size, next] = page === 'after' ? ['first', 'next'] : ['last', 'previous'];
    const document = `query ($place: String) {
      entityCards(updated_after: "2020-01-01T00:00:00Z", ${size}: 2, ${page}: $place) { results { id } ${next} }
    }`;
    const read: string[] = [];
    let place: string | null = null;
    do {
      const { data, errors } = await faked.queryFailing(document, { place });
      if (errors.length > 0) return { codes: codesOf({ errors }) };
      read.push(...data.entityCards.results.map(({ id }: { id: string }) => id));
      if (place === null) for (const at of moved) rows[at]!.updated_on = String(1_800_000_000 + moved.indexOf(at));
      place = data.entityCards[next];
    } while (place);
    return { missing: ids.filter((id) => !read.includes(id)) };
  };
  const whole = { missing: [] };

  test.each([
    ['that a client has read', [0]],
    ['that it will read', [3]],
    ['of both kinds', [0, 3, 5]],
  ])('come all, though others %s move', async (_which, moved) => {
    expect(await readWhileMoving(moved, 'after')).toEqual(whole);
  });

  test.each([[[1]], [[1, 0]], [[0, 1, 2]]])('come all, though the row of the cursor moves: %j', async (moved) => {
    expect(await readWhileMoving(moved, 'after')).toEqual(whole);
  });

  test.each([[[7]], [[6]], [[6, 7]]])('come all backward, though rows that were read move: %j', async (moved) => {
    expect(await readWhileMoving(moved, 'before')).toEqual(whole);
  });

  test.each([[[5]], [[0, 3]]])(
    'are an error backward where unread rows move to the pages before: %j',
    async (moved) => {
      expect(await readWhileMoving(moved, 'before')).toEqual({ codes: ['UPSTREAM_INVALID_RESPONSE'] });
    },
  );
});
