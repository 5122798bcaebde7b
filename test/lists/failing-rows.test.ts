import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChangingList, groups } from '../support/changing-list.ts';
import { rowsInDoubt, summariesOf } from '../support/client.ts';
import { startFakeUpstream } from '../support/fake-upstream.ts';
import { type FakedGateway, type Gateway, startFakedGateway, startGateway } from '../support/harness.ts';
import { get } from '../support/rest.ts';
import { firstRows, page, paths, type Row, readRows } from '../support/rest-reads.ts';

let plain: Gateway;
let farmers: string[];
beforeAll(async () => {
  plain = await startGateway();
  farmers = (await readRows(plain, paths.farmers)).map(({ id }) => id);
});
afterAll(() => plain.close());

const crash = { status: 500, body: '<h1>Server Error (500)</h1>' };

/** Starts a gateway. The service fails on each page with one of these rows of a list, which may change. */
async function startFailing(list: string, places: number[], settings: Record<string, string> = {}) {
  const gateway = await startFakedGateway(settings);
  gateway.upstream.respond = ({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://service');
    const offset = Number(searchParams.get('offset'));
    const end = offset + Number(searchParams.get('limit'));
    return pathname === list && places.some((place) => place >= offset && place < end) ? crash : undefined;
  };
  return gateway;
}

/** The ids of a range of farmers, with the errors and the calls. */
async function readFarmers(gateway: FakedGateway, offset: number, limit: number) {
  const answer = await gateway.queryFailing(
    `{ farmers(offset: ${offset}, limit: ${limit}) { count next results { id } } }`,
  );
  return { ...answer, ids: answer.data.farmers?.results.map(({ id }: Row) => id) };
}

const errorAt = (place: number, path = ['farmers', 'results']) => ({
  path,
  message: `The row at offset ${place} of this list is left out, because the service fails on it.`,
  extensions: { code: 'UPSTREAM_ERROR', upstream_status: 500 },
});

describe('a page with a row that the service fails on', () => {
  test('shows the other rows, and an error with the place of the row', async () => {
    await using gateway = await startFailing(paths.farmers, [37]);

    const { ids, data, errors, calls } = await readFarmers(gateway, 20, 60);

    expect(ids).toEqual(farmers.slice(20, 80).toSpliced(17, 1));
    expect(data.farmers.count).toBe(farmers.length);
    expect(errors).toMatchObject([errorAt(37)]);
    // The page, a page behind all rows, and four parts of each of three sizes.
    expect(calls).toHaveLength(2 + 3 * 4);
  });

  test.each([
    { what: 'several rows', places: [3, 4, 41], offset: 0, limit: 60 },
    { what: 'the first and the last row', places: [0, 19], offset: 0, limit: 20 },
    { what: 'a row in each quarter', places: [1, 6, 11, 16], offset: 0, limit: 20 },
    { what: 'the only row', places: [7], offset: 7, limit: 1 },
    { what: 'all of three rows', places: [7, 8, 9], offset: 7, limit: 3 },
    { what: 'a row at the end of the list', places: [239], offset: 200, limit: 100 },
    { what: 'a row of one of several pages', places: [150], offset: 0, limit: 240 },
  ])('is read around $what', async ({ places, offset, limit }) => {
    await using gateway = await startFailing(paths.farmers, places);

    const { ids, errors } = await readFarmers(gateway, offset, limit);

    const rest = farmers.filter((_, place) => place >= offset && place < offset + limit && !places.includes(place));
    expect(ids).toEqual(rest);
    expect(errors).toMatchObject(places.map((place) => errorAt(place)));
  });

  test('keeps the cursors of its rows, and names the place under its alias', async () => {
    await using gateway = await startFailing(paths.farmers, [1]);
    const ask = (after: string) =>
      gateway.queryFailing(`{ farmers(first: 3, after: ${after}) { rows: edges { cursor node { id } } next } }`);

    const { data, errors } = await ask('null');

    expect(data.farmers.rows.map(({ node }: Row) => node.id)).toEqual([farmers[0], farmers[2]]);
    expect(errors).toMatchObject([errorAt(1, ['farmers', 'rows'])]);
    const first = await ask(JSON.stringify(data.farmers.rows[0].cursor));
    expect(first.data.farmers.rows.map(({ node }: Row) => node.id)).toEqual(farmers.slice(2, 4));
    const next = await ask(JSON.stringify(data.farmers.next));
    expect(next.data.farmers.rows.map(({ node }: Row) => node.id)).toEqual(farmers.slice(3, 6));
  });

  test.each(['farmers', 'productTransactions'] as const)(
    'is passed by a client that follows the cursors of %s',
    async (list) => {
      const places = [0, 4, 5, 12, 19];
      await using gateway = await startFailing(paths[list], places);
      const ids = (await firstRows(plain, paths[list], 25)).map(({ id }) => id);
      const read: string[] = [];
      for (let after = null, turn = 0; turn < 5; turn += 1) {
        const document = `query ($after: String) { ${list}(first: 5, after: $after) { next results { id } } }`;
        const { data } = await gateway.queryFailing(document, { after });
        read.push(...data[list].results.map(({ id }: Row) => id));
        after = data[list].next;
      }
      expect(read).toEqual(ids.filter((_, place) => !places.includes(place)));
    },
  );

  test('ends before the rows that were not searched in time, and the client goes on with them', async () => {
    await using gateway = await startFakedGateway({ 'limits.operations.timeoutMs': '5000' });
    const failing = 60;
    let isSlow = true;
    gateway.upstream.respond = ({ path }) => {
      const { pathname, searchParams } = new URL(path, 'http://service');
      const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
      if (pathname !== paths.farmers || failing < offset || failing >= offset + limit) return undefined;
      return isSlow && limit < 20 ? { stalls: true } : crash;
    };
    const read = (after: string | null) =>
      gateway.queryFailing(
        'query ($after: String) { farmers(first: 100, after: $after) { next results { id buyer { name } } } }',
        { after },
      );
    const rowsOf = (first: number, end: number) =>
      farmers.slice(first, end).map((id) => ({ id, buyer: { name: expect.any(String) } }));

    const { data, errors } = await read(null);

    expect(data.farmers.results).toEqual(rowsOf(0, 57));
    expect(errors).toMatchObject([
      {
        path: ['farmers', 'results'],
        message: expect.stringContaining('Only 57 of 100 rows of this list came in time.'),
        extensions: { code: 'UPSTREAM_TIMEOUT', retryable: true },
      },
    ]);
    isSlow = false;
    const rest = await read(data.farmers.next);
    expect(rest.data.farmers.results).toEqual([...rowsOf(57, 60), ...rowsOf(61, 157)]);
    expect(rest.errors).toMatchObject([errorAt(60)]);
  });

  test.each(['alone', 'in a tie'])('is the only one left out of a list with ties, %s', async (where) => {
    const list = new ChangingList(paths.productTransactions, groups([1, ...Array.from({ length: 20 }, () => 6)]));
    const failing = where === 'alone' ? 'G0R0' : 'G9R3';
    await using upstream = await startFakeUpstream({
      respond: (request) => (list.respond(request)?.body?.includes(`"${failing}"`) ? crash : list.respond(request)),
    });
    await using gateway = await startGateway({ sandbox: { dialect: 'connect' }, upstreamUrl: upstream.url });
    const read = () => gateway.query('{ productTransactions(limit: 200) { results { id } } }');

    for (const { data, errors } of [await read(), await read()]) {
      const ids = data.productTransactions.results.map(({ id }: Row) => id);
      expect(ids.toSorted()).toEqual(
        list.rows
          .map(({ id }) => id)
          .filter((id) => id !== failing)
          .toSorted(),
      );
      expect(errors.map(({ message }) => message)).toEqual([
        expect.stringMatching(/because the service fails on it\.$/),
      ]);
    }
  });

  test.each([1, 2, 3, 4, 5, 6])(
    'takes no other row of its second from a client that pages, in order %i',
    async (order) => {
      const sizes = [7, 60, 5, 3];
      const list = new ChangingList(paths.productTransactions, groups(sizes, { name: `O${order}G` }));
      const failing = `O${order}G1R${9 * order}`;
      await using upstream = await startFakeUpstream({
        respond: (request) => (list.respond(request)?.body?.includes(`"${failing}"`) ? crash : list.respond(request)),
      });
      await using gateway = await startGateway({ sandbox: { dialect: 'connect' }, upstreamUrl: upstream.url });
      for (const [size, start, link] of [
        ['first', 'after', 'next'],
        ['last', 'before', 'previous'],
      ] as const) {
        const document = `query ($at: String) { productTransactions(${size}: 10, ${start}: $at) { ${link} results { id } } }`;
        const read: string[] = [];
        const messages: string[] = [];
        let at: string | null = null;
        do {
          const { data, errors } = await gateway.query(document, { at });
          read.push(...data.productTransactions.results.map(({ id }: Row) => id));
          messages.push(...errors.map(({ message }) => message));
          at = data.productTransactions[link];
        } while (at && read.length < 100);

        const lost = list.rows.filter(({ id }) => id !== failing && !read.includes(id));
        expect(new Set(read).size).toBe(read.length);
        // The parts of a page may hide a row of a tie. The page says so.
        expect(lost.length).toBeLessThanOrEqual(rowsInDoubt(messages));
        expect(messages.filter((message) => message.endsWith('because the service fails on it.'))).not.toEqual([]);
      }
    },
  );

  test('gives the count of its list', async () => {
    await using gateway = await startFailing(paths.farmers, [0]);

    const { data, errors } = await gateway.queryFailing('{ farmers { count } }');

    expect([data, errors]).toEqual([{ farmers: { count: farmers.length } }, []]);
  });

  test('is read around from a service with smaller pages', async () => {
    await using capped = await startFakedGateway({}, { sandbox: { maxPageSize: 7 } });
    const { upstream } = capped;
    upstream.respond = ({ path }) => {
      const [limit = 0, offset = 0] = [...path.matchAll(/(?:limit|offset)=(\d+)/g)].map(([, number]) => Number(number));
      return offset <= 12 && 12 < offset + Math.min(limit, 7) ? crash : undefined;
    };

    const { ids, errors } = await readFarmers(capped, 0, 30);

    expect(ids).toEqual(farmers.slice(0, 30).toSpliced(12, 1));
    expect(errors).toMatchObject([errorAt(12)]);
  });

  test('is read whole if only a large page fails', async () => {
    await using gateway = await startFakedGateway();
    gateway.upstream.respond = ({ path }) => (path.includes('limit=30&') ? crash : undefined);

    const { ids, errors } = await readFarmers(gateway, 10, 30);

    expect(ids).toEqual(farmers.slice(10, 40));
    expect(errors).toEqual([]);
  });

  test('is read in parts that the trace names', async () => {
    await using gateway = await startFailing(paths.farmers, [0]);

    const { body } = await gateway.ask('{ farmers(limit: 2) { results { id } } }', {
      headers: { 'x-trace-upstream': 'true' },
    });

    const calls = body.extensions.upstream.calls.map(({ reason, status, fields }: Row) => [reason, status, ...fields]);
    expect(calls).toEqual([
      ['root', 500, 'farmers'],
      ['bisect', 200, 'farmers'],
      ['bisect', 500, 'farmers'],
      ['bisect', 200, 'farmers'],
    ]);
  });

  test('opens no circuit, and is not retried', async () => {
    await using gateway = await startFailing(paths.farmers, [37], {
      'retries.max': '3',
      'circuitBreaker.calls': '2',
    });

    const { calls } = await readFarmers(gateway, 0, 100);
    const { errors } = await readFarmers(gateway, 100, 20);

    expect(new Set(calls).size).toBe(calls.length);
    expect(errors).toEqual([]);
  });
});

describe('a row that the service failed on a short while ago', () => {
  test('costs two calls more, and is asked for by itself', async () => {
    await using gateway = await startFailing(paths.farmers, [37]);
    await readFarmers(gateway, 0, 100);

    const { ids, errors, calls } = await readFarmers(gateway, 20, 60);

    expect(ids).toEqual(farmers.slice(20, 80).toSpliced(17, 1));
    expect(errors).toMatchObject([errorAt(37)]);
    expect(calls.toSorted()).toEqual(
      [page(paths.farmers, 17, 20), page(paths.farmers, 1, 37), page(paths.farmers, 42, 38)].toSorted(),
    );
    expect((await readFarmers(gateway, 40, 60)).calls).toEqual([page(paths.farmers, 60, 40)]);
  });

  test('is shown when the service shows it again, and the page is whole from then on', async () => {
    const places = [37];
    await using gateway = await startFailing(paths.farmers, places);
    await readFarmers(gateway, 0, 100);
    places.pop();

    const { ids, errors } = await readFarmers(gateway, 20, 60);

    expect([ids, errors]).toEqual([farmers.slice(20, 80), []]);
    expect((await readFarmers(gateway, 20, 60)).calls).toEqual([page(paths.farmers, 60, 20)]);
  });

  test('is found at another place', async () => {
    const places = [37];
    await using gateway = await startFailing(paths.farmers, places);
    await readFarmers(gateway, 0, 100);
    places[0] = 40;

    const { ids, errors } = await readFarmers(gateway, 0, 100);

    expect(ids).toEqual(farmers.slice(0, 100).toSpliced(40, 1));
    expect(errors).toMatchObject([errorAt(40)]);
  });

  test('is unknown to other callers', async () => {
    await using gateway = await startFailing(paths.farmers, [37]);
    await readFarmers(gateway, 0, 100);
    gateway.upstream.clear();

    await gateway.query('{ farmers(limit: 60) { results { id } } }', {}, { key: 'demo-buyer' });

    expect(gateway.upstream.calls[0]).toBe(page(paths.farmers, 60));
  });
});

test('random ranges have the rows that the service can show, while others fail and recover', async () => {
  const places: number[] = [];
  await using gateway = await startFailing(paths.farmers, places);
  const read = async (failing: number[], [offset, limit]: [number, number]) => {
    places.splice(0, places.length, ...failing);
    const { ids, errors } = await readFarmers(gateway, offset, limit);

    const left = failing.filter((place) => place >= offset && place < offset + limit);
    expect(ids).toEqual(farmers.slice(offset, offset + limit).filter((_, index) => !left.includes(offset + index)));
    const byMessage = (a: { message: string }, b: { message: string }) => a.message.localeCompare(b.message);
    expect(errors.toSorted(byMessage)).toMatchObject(left.map((place) => errorAt(place)).toSorted(byMessage));
  };
  const place = fc.nat(farmers.length - 1);
  const range = fc.tuple(place, fc.integer({ min: 1, max: 120 }));
  const property = fc.asyncProperty(fc.uniqueArray(place, { maxLength: 2 }), range, read);
  await fc.assert(property, { numRuns: Number(process.env.PROPERTY_RUNS ?? 60), seed: 20260701 });
});

describe('a service that fails on all rows', () => {
  test.each([
    { what: 'on the list', most: 2, respond: () => crash },
    { what: 'on each row', most: 10, respond: (path: string) => (path.includes('offset=1000000') ? undefined : crash) },
  ])('$what is asked $most times, and then once for each page', async ({ most, respond }) => {
    await using gateway = await startFakedGateway();
    gateway.upstream.respond = ({ path }) => respond(path);

    const first = await readFarmers(gateway, 0, 100);
    const second = await readFarmers(gateway, 0, 60);

    for (const { data, errors } of [first, second]) {
      expect(data).toEqual({ farmers: null });
      expect(summariesOf({ errors })).toMatchObject([
        { path: ['farmers'], code: 'UPSTREAM_ERROR', upstream_status: 500 },
      ]);
    }
    expect(first.calls).toHaveLength(most);
    expect(second.calls).toEqual([page(paths.farmers, 60)]);
  });

  test('is searched once for all pages of a range', async () => {
    await using gateway = await startFakedGateway();
    // The gateway reads the pages side by side, because it knows the length of the list.
    await readFarmers(gateway, 0, 1);
    gateway.upstream.respond = () => crash;

    const { data, calls } = await readFarmers(gateway, 0, 240);

    expect(data).toEqual({ farmers: null });
    expect(calls).toHaveLength(3 + 1);
  });

  test('leaves calls for the rest of the operation', async () => {
    const places = Array.from({ length: 50 }, (_, index) => 2 * index);
    await using gateway = await startFailing(paths.farmers, places);

    const { data, errors, calls } = await readFarmers(gateway, 0, 100);

    expect(data).toEqual({ farmers: null });
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_ERROR' } }]);
    expect(calls.length).toBeLessThanOrEqual(1 + 48);
  });

  test('is not searched without calls', async () => {
    await using gateway = await startFailing(paths.farmers, [3], { 'limits.operations.upstreamCalls': '3' });

    const { errors, calls } = await readFarmers(gateway, 0, 100);

    expect(errors).toMatchObject([{ path: ['farmers'], extensions: { code: 'UPSTREAM_ERROR' } }]);
    expect(calls).toHaveLength(2);
  });
});

describe('a list scan over a row that the service fails on', () => {
  const document = '{ productTransactions(limit: 20) { results { product_id product { id name } } } }';

  test('goes on behind the row, and does not call an object absent that may be the row', async () => {
    const products = (await readRows(plain, paths.products)).map(({ id }) => id);
    const { results } = (await plain.query(document)).data.productTransactions;
    const lost = results[0].product_id;
    await using gateway = await startFailing(paths.products, [products.indexOf(lost)]);

    const { data, errors } = await gateway.queryFailing(document);

    const shown = results.map((row: Row) => (row.product_id === lost ? { ...row, product: null } : row));
    expect(data.productTransactions.results).toEqual(shown);
    expect(errors.length).toBe(results.filter((row: Row) => row.product_id === lost).length);
    for (const { message, extensions } of errors) {
      expect(message).toBe(errorAt(products.indexOf(lost)).message);
      expect(extensions).toMatchObject({ code: 'UPSTREAM_ERROR', reference: { type: 'Product', id: lost } });
    }
  });
});

describe('payments of a real deployment with an option that is none', () => {
  const key = 'Bearer demo-coop';
  const list = paths.paymentTransactions;

  /** Stores payments of these times; the service fails on those whose option is none. */
  async function pay(gateway: Gateway, ...payments: { created_on: number; isFailing?: boolean }[]): Promise<void> {
    const write = (path: string, body: object) =>
      fetch(gateway.sandbox.url + path, {
        method: 'POST',
        headers: { authorization: key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const options = [{ name: 'organic', amount: 1 }];
    const created = await write('/catalogs/premiums/', { name: 'Bonus', calculation_type: 'OPTIONS', options });
    const premium = ((await created.json()) as Row).data;
    const [{ source, destination }] = (await get(gateway.sandbox, `${list}?limit=1&offset=9`, key)).results;
    for (const { created_on, isFailing } of payments) {
      const selected_option = isFailing ? 'AAAAAAAAAA' : premium.options[0].id;
      const answer = await write(list, {
        source,
        destination,
        premium: premium.id,
        amount: 1,
        selected_option,
        created_on,
      });
      expect(answer.status).toBe(isFailing ? 500 : 201);
    }
  }

  const ask = (gateway: Gateway, limit: number) =>
    gateway.query(`{ paymentTransactions(limit: ${limit}) { count results { id } } }`, {}, { key });

  test('leave the others readable, also when newer ones come', async () => {
    await using gateway = await startGateway({ sandbox: { dialect: 'connect' } });
    const before = (await ask(gateway, 20)).data.paymentTransactions;
    await pay(gateway, { created_on: 2_000_000_000, isFailing: true });

    const { data, errors } = await ask(gateway, 20);

    expect(data.paymentTransactions).toEqual({ count: before.count + 1, results: before.results.slice(0, 19) });
    expect(errors).toMatchObject([errorAt(0, ['paymentTransactions', 'results'])]);
    await pay(gateway, { created_on: 2_000_000_001 });
    const after = await ask(gateway, 20);
    expect(after.data.paymentTransactions.results.slice(1)).toEqual(before.results.slice(0, 18));
    expect(after.errors).toMatchObject([errorAt(1, ['paymentTransactions', 'results'])]);
  });

  test('hide no payment of the same second without an error', async () => {
    await using gateway = await startGateway({ sandbox: { dialect: 'connect' } });
    const same = { created_on: 2_000_000_000 };
    await pay(gateway, same, same, { ...same, isFailing: true }, same, same, same);

    for (const limit of [4, 5, 8, 20, 30]) {
      const { data, errors } = await ask(gateway, limit);

      const { results } = data.paymentTransactions;
      expect(new Set(results.map(({ id }: Row) => id)).size).toBe(results.length);
      const messages = errors.map(({ message }) => message);
      const failing = messages.filter((message) => message.endsWith('because the service fails on it.'));
      expect(results.length + failing.length + rowsInDoubt(messages)).toBe(limit);
    }
  });
});
