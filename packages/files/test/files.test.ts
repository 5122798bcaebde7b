import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf } from '../../../test/support/client.ts';
import { type FakeUpstream, type Reply, startFakeUpstream } from '../../../test/support/fake-upstream.ts';
import { type Gateway, type GatewayOptions, startFakedGateway, startGateway } from '../../../test/support/harness.ts';
import { ListService } from '../../../test/support/list-service.ts';
import { RawConnection, rawPost } from '../../../test/support/raw-http.ts';
import { scrape, valuesOf } from '../../../test/support/scrape.ts';
import {
  bearerOf,
  callerClaims,
  people,
  proveSignatures,
  refuseForged,
  unsigned,
} from '../../../test/support/tokens.ts';

const jsonl = { accept: 'application/jsonl' };
const csv = { accept: 'text/csv' };

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever their document asks for
type Value = any;

interface File {
  rows: Value[];
  /** Lines with nothing but errors. */
  errors: Value[];
  cursors: string[];
  /** Undefined for a file that was cut. */
  end: Value | undefined;
}

/** Reads the whole lines of a file. */
function fileOf(text: string): File {
  const file: File = { rows: [], errors: [], cursors: [], end: undefined };
  for (const line of text.split('\n').slice(0, -1)) {
    const value: Value = JSON.parse(line);
    if (value.$end) file.end = value.$end;
    else if (value.$cursor) file.cursors.push(value.$cursor);
    else if (Object.keys(value).join() === '$errors') file.errors.push(...value.$errors);
    else file.rows.push(value);
  }
  return file;
}

async function download(gateway: Gateway, query: string, variables = {}, headers: object = jsonl): Promise<File> {
  const { status, text } = await gateway.ask({ query, variables }, { headers: { ...headers } });
  expect(status).toBe(200);
  return fileOf(text);
}

interface ListedFarmer {
  id: string;
  [field: string]: unknown;
}

/** A gateway over a list of farmers. `reply` answers other calls. */
async function startFarmers(
  farmers: readonly ListedFarmer[],
  reply: (path: string, farmers: readonly ListedFarmer[]) => Reply | undefined = () => undefined,
  options: Pick<GatewayOptions, 'settings' | 'file' | 'accessLogger'> = {},
): Promise<Gateway & { upstream: FakeUpstream }> {
  const upstream = await startFakeUpstream();
  upstream.respond = ({ path }) => {
    const answer = reply(path, farmers);
    if (answer) return answer;
    const { pathname, searchParams } = new URL(path, 'http://service');
    if (pathname !== '/supply-chains/farmers/') return { status: 404, body: '{}' };
    const offset = Number(searchParams.get('offset'));
    const results = farmers.slice(offset, offset + Number(searchParams.get('limit')));
    return { body: JSON.stringify({ count: farmers.length, next: null, previous: null, results }) };
  };
  const gateway = await startGateway({ upstreamUrl: upstream.url, ...options });
  const close = async () => {
    await gateway.close();
    await upstream.close();
  };
  return { ...gateway, upstream, close, [Symbol.asyncDispose]: close };
}

const numbered = (count: number): ListedFarmer[] =>
  Array.from({ length: count }, (_, index) => ({ id: `F${index}`, first_name: `Farmer ${index}` }));

const farmerIds = '{ farmers { results { id } } }';

describe('a file over the sandbox', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const selection = 'id amount quantity verification_latitude source { ... on Farmer { name } } parents { id }';

  test('has the rows of the list, each as in a JSON answer, and ends with a line that counts them', async () => {
    const { data } = await gateway.query(`{ productTransactions(first: 1000) { results { ${selection} } } }`);
    const expected = data.productTransactions.results;

    const answer = await gateway.post(`query Sales { productTransactions { count results { ${selection} } next } }`, {
      headers: jsonl,
    });
    const text = await answer.text();

    expect(answer.headers.get('content-type')).toBe('application/jsonl');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="Sales.jsonl"');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-accel-buffering')).toBe('no');
    expect(answer.headers.get('x-total-count')).toBe(String(expected.length));
    expect(answer.headers.get('vary')).toContain('Accept');
    const { rows, errors, cursors, end } = fileOf(text);
    expect(rows).toEqual(expected);
    expect(errors).toEqual([]);
    expect(cursors.length).toBe(Math.ceil(expected.length / 200));
    expect(end).toEqual({ rows: expected.length, errors: 0, complete: true, cursor: null });
    expect(text.split('\n').at(-2)).toContain('$end');
  });

  test('takes aliases, variables, fragments and directives, and shows edges with their cursors', async () => {
    const query = `query ($name: String, $all: Boolean!, $first: Int) {
      ...Root
    }
    fragment Root on Query { people: farmers(first_name: $name, first: $first) @include(if: true) { lines: edges { cursor node { ...Row } } } }
    fragment Row on Farmer { key: id last_name @include(if: $all) }`;

    const { rows, end } = await download(gateway, query, { name: 'a', all: false, first: 3 });

    const { data } = await gateway.query(
      '{ farmers(first_name: "a", first: 3) { edges { cursor node { key: id } } next } }',
    );
    expect(rows).toEqual(data.farmers.edges);
    expect(end).toEqual({ rows: 3, errors: 0, complete: true, cursor: data.farmers.next });
  });

  test('goes on after a cursor', async () => {
    const part = await download(gateway, '{ farmers(first: 30) { results { id } } }');
    const rest = await download(gateway, 'query ($after: String) { farmers(after: $after) { results { id } } }', {
      after: part.end.cursor,
    });
    const whole = await download(gateway, farmerIds);
    expect([...part.rows, ...rest.rows]).toEqual(whole.rows);
  });

  test('comes over GET, in the language and with the trace that the client asks for', async () => {
    const path = `?query=${encodeURIComponent('{ farmers(first: 2) { results { id } } }')}`;
    const headers = {
      ...jsonl,
      'apollo-require-preflight': 'true',
      'x-trace-upstream': 'true',
      'x-request-id': 'mine',
    };
    const answer = await gateway.send({ method: 'GET', path, headers });
    expect(answer.headers.get('x-request-id')).toBe('mine');
    const lines = (await answer.text()).split('\n');
    expect(JSON.parse(lines.at(-3)!).$upstream).toMatchObject({ total: 1, calls: [{ reason: 'root' }] });
  });

  test.each(['br', 'zstd', 'gzip', 'identity'])('comes in the coding %s', async (coding) => {
    const answer = await gateway.post(farmerIds, { headers: { ...jsonl, 'accept-encoding': coding } });
    expect(answer.headers.get('content-encoding')).toBe(coding === 'identity' ? null : coding);
    expect(answer.headers.get('vary')).toContain('Accept-Encoding');
    expect(fileOf(await answer.text()).end).toMatchObject({ rows: 240, complete: true });
  });

  test('is refused to a page of another site, which can send no header of its own', async () => {
    gateway.sandbox.clearCalls();
    const path = `?query=${encodeURIComponent(farmerIds)}`;
    const answer = await gateway.send({ method: 'GET', path, headers: csv });
    expect(answer.status).toBe(400);
    expect(gateway.sandbox.calls()).toEqual([]);
  });

  test.each([
    ['no list', '{ farmer(id: "F1") { id } }', 406],
    ['two lists', '{ farmers { results { id } } products { results { id } } }', 406],
    ['a field beside its list', '{ serverTime farmers { results { id } } }', 406],
    ['no rows', '{ farmers { count } }', 406],
    ['its rows twice', '{ farmers { results { id } edges { cursor } } }', 406],
    ['the schema', '{ __schema { types { name } } }', 406],
    ['a mutation', 'mutation { createFarmer(input: { first_name: "A" }) { id } }', 406],
    ['the last rows', '{ farmers(last: 3) { results { id } } }', 422],
    ['rows before a cursor', '{ farmers(before: "cm93OjE") { results { id } } }', 422],
    ['rows from a number on', '{ farmers(offset: 5) { results { id } } }', 422],
    ['a limit and a cursor', '{ farmers(limit: 5, after: "cm93OjE") { results { id } } }', 422],
    ['fewer rows than none', '{ farmers(first: -1) { results { id } } }', 422],
    ['a cursor of another making', '{ farmers(after: "x") { results { id } } }', 422],
    ['a field that there is not', '{ farmers { results { nothing } } }', 422],
  ])('is refused before its first call to an operation that asks for %s', async (_what, query, status) => {
    gateway.sandbox.clearCalls();
    const answer = await gateway.ask(query, { headers: csv });
    expect(answer.status).toBe(status);
    expect(answer.body.errors[0].message).not.toBe('');
    expect(gateway.sandbox.calls()).toEqual([]);
  });

  test.each([
    ['application/jsonl', 'application/jsonl'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['application/ndjson;q=0.9, application/json;q=0.1', 'application/ndjson'],
    ['application/jsonl;charset=UTF-8', 'application/jsonl'],
    ['text/csv; charset=utf-8', 'text/csv; charset=utf-8; header=present'],
    ['text/csv, */*;q=0.1', 'text/csv; charset=utf-8; header=present'],
    ['text/csv;q=0.1, application/json', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
  ])('is given for Accept: %s as %s', async (accept, type) => {
    const answer = await gateway.post('{ farmers(first: 1) { results { id } } }', { headers: { accept } });
    expect(answer.headers.get('content-type')).toBe(type);
    await answer.text();
  });

  test('has no rows where the client asks for none', async () => {
    const { rows, end } = await download(gateway, '{ farmers(first: 0) { results { id } } }');
    expect([rows, end.rows, end.complete]).toEqual([[], 0, true]);
  });

  test('that the service refuses is an error with its status', async () => {
    const answer = await gateway.ask(farmerIds, { headers: jsonl, key: 'unknown' });
    expect([answer.status, codeOf(answer.body)]).toEqual([401, 'UNAUTHENTICATED']);
    const without = await gateway.ask(farmerIds, { headers: jsonl, key: null });
    expect([without.status, codeOf(without.body)]).toEqual([401, 'UNAUTHENTICATED']);
  });
});

describe('CSV', () => {
  test('has the fields of the selection as columns, and quotes what has to be', async () => {
    await using gateway = await startFarmers([
      { id: 'F1', first_name: 'Ann "A"', last_name: 'Line\nbreak', city: '', latitude: 0.1 },
      { id: 'F2', first_name: 'Bo, Bea', last_name: null, city: 'Đà Lạt', latitude: -1e-7 },
    ]);
    const query =
      '{ farmers { results { id first_name at: last_name city latitude submission { values { value } } } } }';
    const { text } = await gateway.ask(query, { headers: csv });
    expect(text.split('\r\n')).toEqual([
      'id,first_name,at,city,latitude,submission.values,$errors',
      'F1,"Ann ""A""","Line\nbreak","",0.1,,',
      'F2,"Bo, Bea",,Đà Lạt,-1e-7,,',
      '# end rows=2 errors=0 complete=true cursor=,,,,,,',
      '',
    ]);
  });

  test('has no formula, and no row that looks like the last line', async () => {
    const dangerous = ['=1+1', '@SUM(A1)', '+cmd|x', '-2+3', '\tx', '# end rows=9', '＝1', "'=1+1", "''-2+3"];
    const harmless = ['+31 6 1234', '-12.500', '1-2', "o'=1", "'t Hooft", "'-12"];
    await using gateway = await startFarmers(
      [...dangerous, ...harmless].map((first_name, i) => ({ id: `F${i}`, first_name })),
    );
    const { text } = await gateway.ask('{ farmers { results { first_name } } }', { headers: csv });
    const cells = text
      .split('\r\n')
      .slice(1, -2)
      .map((line) => line.slice(0, -1));
    const shown = [...dangerous.map((cell) => `'${cell}`), ...harmless];
    expect(cells).toEqual(shown.map((cell) => (cell.includes('\t') ? `"${cell}"` : cell)));
  });

  test('quotes what ends a cell in spreadsheets of other countries', async () => {
    const names = ['a;b', 'a\tb', 'a,b', 'a b'];
    await using gateway = await startFarmers(names.map((first_name, i) => ({ id: `F${i}`, first_name })));
    const { text } = await gateway.ask('{ farmers { results { first_name } } }', { headers: csv });
    expect(text.split('\r\n').slice(1, -2)).toEqual(['"a;b",', '"a\tb",', '"a,b",', 'a b,']);
  });

  test('joins the columns of all types that a reference may have, and shows lists as JSON', async () => {
    await using gateway = await startGateway();
    const query = `{ productTransactions(first: 20) { edges { node { source { __typename ... on Farmer { name phone } ... on Company { name } } parents { id } } } } }`;
    const { text } = await gateway.ask(query, { headers: csv });
    const [head, ...lines] = text.split('\r\n');
    expect(head).toBe('node.source.__typename,node.source.name,node.source.phone,node.parents,$errors');
    expect(lines.find((line) => line.startsWith('Company,'))).toMatch(/^Company,[^,]+,,"\[\{""id"":""\w+""\}/);
    expect(lines.find((line) => line.startsWith('Farmer,'))).toMatch(/^Farmer,[^,]+,[+\d ]*,\[\],$/);
  });

  test('shows the errors of a row in its last cell', async () => {
    await using gateway = await startFarmers([{ id: 'F1', buyer: 'C9' }]);
    const { text } = await gateway.ask('{ farmers { results { id buyer { name } } } }', { headers: csv });
    const [, row, end] = text.split('\r\n');
    expect(row).toMatch(/^F1,,"buyer: REFERENCE_NOT_FOUND: /);
    expect(end).toMatch(/^# end rows=1 errors=1 complete=true cursor=/);
  });
});

test('numbers and decimals are those of the JSON answer, byte for byte', async () => {
  const values = ['0.100', '1e21', '-0', '12345678901234567890', '0.1', '1E400', '9007199254740993', '5e-324', '100'];
  const rows = values.flatMap((value) => [`{"id":"T","amount":"${value}"}`, `{"id":"T","amount":${value}}`]);
  const payments = values.map((value) => `{"id":"P","amount":${value}}`);
  await using upstream = await startFakeUpstream({
    respond: ({ path }) => {
      const results = path.includes('payment') ? payments : rows;
      return { body: `{"count":${results.length},"next":null,"previous":null,"results":[${results}]}` };
    },
  });
  await using gateway = await startGateway({ upstreamUrl: upstream.url });
  for (const list of ['productTransactions', 'paymentTransactions']) {
    const query = `{ ${list}(first: 20) { results { amount } } }`;
    const { text } = await gateway.ask(query);
    const shown = /"results":\[(.*?)\]/.exec(text)![1]!.split(',');

    const lines = (await gateway.ask(query, { headers: jsonl })).text.split('\n').slice(0, shown.length);
    expect(lines.map((line) => line.replace(/,"\$errors".*/, '}'))).toEqual(shown);

    const records = (await gateway.ask(query, { headers: csv })).text.split('\r\n').slice(1, 1 + shown.length);
    const cells = shown.map((row) => /:"?(.*?)"?\}/.exec(row)![1]!.replace('null', ''));
    expect(records.map((record) => record.replace(/,.*/, ''))).toEqual(cells);
  }
});

describe('a long file', () => {
  test('is read window by window, each with its own calls and the references of its rows', async () => {
    const farmers = numbered(450).map((farmer, index) => ({ ...farmer, buyer: `C${index % 30}` }));
    await using gateway = await startFarmers(
      farmers,
      (path) => {
        const [, id] = /companies\/(\w+)/.exec(path) ?? [];
        return id === undefined ? undefined : { body: JSON.stringify({ id, name: `Company ${id}` }) };
      },
      // The list alone needs five calls, and its references 30 more.
      { settings: { 'limits.operations.upstreamCalls': '35' } },
    );
    const { rows, end } = await download(gateway, '{ farmers { results { id buyer { name } } } }');
    expect(rows).toEqual(farmers.map(({ id, buyer }) => ({ id, buyer: { name: `Company ${buyer}` } })));
    expect(end).toEqual({ rows: 450, errors: 0, complete: true, cursor: null });
  });

  test('has smaller windows where these do not fit the limits of an operation', async () => {
    const farmers = numbered(60).map((farmer, index) => ({ ...farmer, buyer: `C${index}` }));
    await using gateway = await startFarmers(
      farmers,
      (path) => {
        const [, id] = /companies\/(\w+)/.exec(path) ?? [];
        return id === undefined ? undefined : { body: JSON.stringify({ id, name: `Company ${id}` }) };
      },
      { settings: { 'limits.operations.upstreamCalls': '9' } },
    );
    const { rows, end } = await download(gateway, '{ farmers { results { buyer { name } } } }');
    expect(rows).toEqual(farmers.map(({ buyer }) => ({ buyer: { name: `Company ${buyer}` } })));
    expect(end).toMatchObject({ rows: 60, errors: 0, complete: true });
  });

  test('is refused where not even one row fits', async () => {
    await using gateway = await startFarmers(numbered(3), undefined, { settings: { 'limits.operations.cost': '1' } });
    const query = '{ farmers { results { id buyer { members { id } } } } }';
    const answer = await gateway.ask(query, { headers: jsonl });
    expect([answer.status, codeOf(answer.body)]).toEqual([422, 'QUERY_TOO_COMPLEX']);
    expect(gateway.upstream.calls).toEqual([]);
  });

  test('is joined from parts that were cut at any byte, with every row once', async () => {
    await using service = await ListService.start();
    const time = (index: number) => 1_790_000_000 - 60 * Math.floor(index / 3);
    service.rows.productTransactions.push(
      ...Array.from({ length: 1_500 }, (_, index) => ({
        id: `T${index}`,
        created_on: time(index),
        updated_on: time(index),
        name: 'x'.repeat(index % 90),
      })),
    );
    const query = 'query ($after: String) { productTransactions(after: $after) { results { id number } } }';
    const rows: Value[] = [];
    let after: string | undefined;
    let cuts = 0;
    for (;;) {
      const client = new AbortController();
      const answer = await service.gateway.post(
        { query, variables: { after } },
        { headers: jsonl, signal: client.signal },
      );
      // More than one window has.
      const room = 16_000 + ((cuts * 7_919) % 9_000);
      let bytes = Buffer.alloc(0);
      for await (const piece of Readable.fromWeb(answer.body as ReadableStream)) {
        bytes = Buffer.concat([bytes, piece]);
        if (bytes.length > room) break;
      }
      client.abort();
      const cut = bytes.subarray(0, room).toString();
      if (bytes.length <= room) {
        rows.push(...fileOf(cut).rows);
        expect(fileOf(cut).end).toMatchObject({ complete: true, errors: 0 });
        break;
      }
      cuts += 1;
      const last = cut.lastIndexOf('{"$cursor"', cut.lastIndexOf('\n') - 1);
      const whole = fileOf(cut.slice(0, cut.indexOf('\n', last) + 1));
      expect(whole.end).toBeUndefined();
      rows.push(...whole.rows);
      after = whole.cursors.at(-1)!;
    }
    expect(cuts).toBeGreaterThan(2);
    expect(rows.map(({ id }) => id).sort()).toEqual(service.rows.productTransactions.map(({ id }) => id).sort());
  });

  test('has each row once that was there at its beginning, while rows come', async () => {
    await using service = await ListService.start();
    const list = service.rows.products;
    const add = (id: string, created_on: number) => list.push({ id, created_on, updated_on: created_on, name: id });
    for (let index = 0; index < 900; index += 1) add(`P${index}`, 1_790_000_000 - 60 * index);
    const before = list.map(({ id }) => id);
    const answer = await service.gateway.post('{ products { results { id } } }', { headers: jsonl });
    for (let index = 0; index < 7; index += 1) add(`New${index}`, 1_790_000_100 + index);
    const { rows, end } = fileOf(await answer.text());
    const ids = rows.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(before));
    expect(end.complete).toBe(true);
  });
});

describe('a file whose service fails', () => {
  const isPageFrom = (path: string, offset: number) => path.includes('farmers/?') && path.includes(`offset=${offset}`);

  test('ends with the reason and the place to go on from', async () => {
    let isDown = true;
    await using gateway = await startFarmers(numbered(500), (path) =>
      isDown && isPageFrom(path, 400) ? { status: 503, body: '{}' } : undefined,
    );
    const part = await download(gateway, farmerIds);
    expect(part.end).toMatchObject({
      complete: false,
      errors: 1,
      error: { extensions: { code: 'UPSTREAM_UNAVAILABLE' } },
    });
    expect(part.rows.length).toBeGreaterThanOrEqual(200);
    expect(part.end.rows).toBe(part.rows.length);
    isDown = false;
    const rest = await download(gateway, 'query ($after: String) { farmers(after: $after) { results { id } } }', {
      after: part.end.cursor,
    });
    expect([...part.rows, ...rest.rows]).toEqual(numbered(500).map(({ id }) => ({ id })));
    expect(rest.end.complete).toBe(true);
  });

  test('ends before rows whose references are out of reach, and goes on with them when the client comes back', async () => {
    const farmers = numbered(300).map((farmer, index) => ({ ...farmer, ...(index === 250 && { buyer: 'C1' }) }));
    await using gateway = await startFarmers(farmers, (path) =>
      path.includes('companies') ? { status: 503, body: '{}' } : undefined,
    );
    const query = 'query ($after: String) { farmers(after: $after) { results { id buyer { name } } } }';
    const part = await download(gateway, query);
    expect(part.end).toMatchObject({
      rows: 200,
      complete: false,
      error: { extensions: { code: 'UPSTREAM_UNAVAILABLE' } },
    });
    const rest = await download(gateway, query, { after: part.end.cursor });
    expect(rest.rows[50]).toMatchObject({ id: 'F250', buyer: null, $errors: [{ path: ['buyer'] }] });
    expect(rest.end).toMatchObject({ rows: 100, errors: 1, complete: true });
  });

  test.each([
    ['pages', /farmers\/\?/],
    ['references', /companies/],
  ])(
    'has smaller windows where the %s of larger ones come too late',
    async (_what, late) => {
      const farmers = numbered(60).map((farmer, index) => ({ ...farmer, buyer: `C${index}` }));
      let limit = 0;
      await using gateway = await startFarmers(
        farmers,
        (path) => {
          if (path.includes('farmers/?')) limit = Number(new URL(path, 'http://service').searchParams.get('limit'));
          if (limit > 8 && late.test(path)) return { stalls: true };
          const [, id] = /companies\/(\w+)/.exec(path) ?? [];
          return id === undefined ? undefined : { body: JSON.stringify({ id, name: `Company ${id}` }) };
        },
        { settings: { 'limits.operations.timeoutMs': '1000' } },
      );
      const { rows, errors, end } = await download(gateway, '{ farmers { results { buyer { name } } } }');
      expect(rows).toEqual(farmers.map(({ buyer }) => ({ buyer: { name: `Company ${buyer}` } })));
      expect(errors).toEqual([]);
      expect(end).toEqual({ rows: 60, errors: 0, complete: true, cursor: null });
    },
    60_000,
  );

  test('ends where not even one row comes in time, and says so', async () => {
    await using gateway = await startFarmers(
      numbered(300),
      // A short page begins with the last row of the one before.
      (path) => (isPageFrom(path, 200) || isPageFrom(path, 199) ? { stalls: true } : undefined),
      {
        settings: { 'limits.operations.timeoutMs': '500' },
      },
    );
    const { rows, end } = await download(gateway, farmerIds);
    expect(rows.map(({ id }) => id)).toEqual(numbered(200).map(({ id }) => id));
    expect(end).toMatchObject({ rows: 200, complete: false, error: { extensions: { code: 'UPSTREAM_TIMEOUT' } } });
    expect(end.cursor).not.toBeNull();
  });

  test.each(['the first window', 'a later window'])(
    'ends before %s whose references the token has not outlived',
    async (which) => {
      const farmers = numbered(300).map((farmer, index) => ({ ...farmer, buyer: `C${index % 30}` }));
      const ended = which === 'the first window' ? 'C0' : undefined;
      let isOver = true;
      let windows = 0;
      await using gateway = await startFarmers(farmers, (path) => {
        if (isPageFrom(path, 0) || isPageFrom(path, 200)) windows += 1;
        const [, id] = /companies\/(\w+)/.exec(path) ?? [];
        if (id === undefined) return undefined;
        if (isOver && (ended === id || windows === 2))
          return { status: 401, body: '{"detail":"Token is invalid or expired"}' };
        return { body: JSON.stringify({ id, name: `Company ${id}` }) };
      });
      const query = 'query ($after: String) { farmers(after: $after) { results { id buyer { name } } } }';
      const shown = farmers.map(({ id, buyer }) => ({ id, buyer: { name: `Company ${buyer}` } }));
      let after: string | undefined;
      if (ended) {
        const answer = await gateway.ask({ query }, { headers: jsonl });
        expect([answer.status, codeOf(answer.body)]).toEqual([401, 'UNAUTHENTICATED']);
      } else {
        const part = await download(gateway, query);
        expect(part.rows).toEqual(shown.slice(0, 200));
        expect(part.end).toMatchObject({
          rows: 200,
          complete: false,
          error: { extensions: { code: 'UNAUTHENTICATED' } },
        });
        after = part.end.cursor;
      }
      isOver = false;
      const rest = await download(gateway, query, { after });
      expect(rest.rows).toEqual(shown.slice(ended ? 0 : 200));
      expect(rest.end).toMatchObject({ errors: 0, complete: true });
    },
  );

  test('shows the errors of a row in the row', async () => {
    await using gateway = await startFarmers([{ id: 'F1', buyer: 'C9' }, { id: 'F2' }]);
    const { rows, end } = await download(gateway, '{ farmers { results { id buyer { name } } } }');
    const code = 'REFERENCE_NOT_FOUND';
    expect(rows).toEqual([
      {
        id: 'F1',
        buyer: null,
        $errors: [expect.objectContaining({ path: ['buyer'], extensions: expect.objectContaining({ code }) })],
      },
      { id: 'F2', buyer: null },
    ]);
    expect(end).toMatchObject({ rows: 2, errors: 1, complete: true });
  });

  test('is not complete without a row on which the service fails', async () => {
    const farmers = numbered(30);
    await using gateway = await startFarmers(farmers, (path) => {
      const { searchParams } = new URL(path, 'http://service');
      const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
      return path.includes('farmers/?') && offset <= 7 && 7 < offset + limit
        ? { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Server Error (500)</h1>' }
        : undefined;
    });
    const { rows, errors, end } = await download(gateway, farmerIds);
    expect(rows.map(({ id }) => id)).toEqual(farmers.map(({ id }) => id).filter((id) => id !== 'F7'));
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_ERROR' } }]);
    expect(end).toEqual({ rows: 29, errors: 1, complete: false, cursor: null });
  });
});

describe('a client that takes nothing', () => {
  /** A window of these rows is larger than what the kernel takes for a client. */
  const heavy = numbered(4_000).map((farmer) => ({ ...farmer, description: 'd'.repeat(20_000) }));
  const query = '{ farmers { results { id description } } }';

  async function connectAndTakeNothing({ url }: Gateway, key = 'demo-coop'): Promise<RawConnection> {
    const connection = new RawConnection(url);
    connection.socket.pause();
    const headers = { Accept: 'application/jsonl', Authorization: key };
    await connection.send(rawPost(JSON.stringify({ query }), headers));
    return connection;
  }

  test('gives its place to the next download when all are taken', async () => {
    await using gateway = await startFarmers(heavy, undefined, {
      file: { limits: { operations: { files: 4 }, clients: { responseTimeoutMs: 600_000, minBytesPerSecond: 1e9 } } },
    });
    const connections: RawConnection[] = [];
    for (const key of ['a', 'b', 'c', 'd']) connections.push(await connectAndTakeNothing(gateway, key));
    const keys = () => new Set(gateway.upstream.requests.map(({ headers }) => headers.authorization));
    await expect.poll(keys).toEqual(new Set(['a', 'b', 'c', 'd']));
    const statusOfNext = async () => (await gateway.ask(farmerIds, { headers: jsonl, key: 'e' })).status;
    await expect.poll(statusOfNext).toBe(200);

    // A client that reads nothing learns of a close when it writes.
    const lost = () => {
      for (const { socket } of connections) socket.write('\r\n');
      return connections.filter(({ socket }) => socket.closed).length;
    };
    // On a busy machine the others are late meanwhile.
    await expect.poll(lost).toBeGreaterThan(0);
    for (const connection of connections) connection.close();
  });

  test('loses its connection where it takes less than the least rate, although it never stops', async () => {
    await using gateway = await startFarmers(heavy, undefined, {
      file: { limits: { clients: { responseTimeoutMs: 300, minBytesPerSecond: 1e9 } } },
    });
    const { socket } = new RawConnection(gateway.url);
    const slowly = setInterval(() => socket.read(), 5);
    socket.removeAllListeners('data');
    socket.on('readable', () => {});
    socket.write(rawPost(JSON.stringify({ query }), { Accept: 'application/jsonl' }));
    await expect.poll(() => socket.closed).toBe(true);
    clearInterval(slowly);
    expect(socket.bytesRead).toBeLessThan(4_000 * 20_000);
  });

  test('stops the reads after a window, takes no place of others, and loses its connection', async () => {
    await using gateway = await startFarmers(heavy, undefined, {
      settings: {
        'limits.operations.running': '1',
        'limits.operations.queued': '1',
        'limits.clients.responseTimeoutMs': '300',
      },
    });
    const connection = await connectAndTakeNothing(gateway);
    await gateway.upstream.untilArrived(4);
    expect((await gateway.query('{ farmers(first: 1) { results { id } } }')).errors).toEqual([]);
    const inFlight = async () => valuesOf(await scrape(gateway.url), 'operations_in_flight');
    await expect.poll(inFlight).toEqual({ '': 0 });
    expect(gateway.upstream.calls.length).toBeLessThan(30);
    connection.close();
  });

  test('has the windows that wait for it counted as untaken answers', async () => {
    await using gateway = await startFarmers(heavy);
    const connection = await connectAndTakeNothing(gateway);
    const untaken = async () => {
      const samples = await scrape(gateway.url, 'gateway_memory_bytes');
      return samples.find(({ labels }) => labels.share === 'answers')?.value;
    };
    // One that is on its way, and one that is read ahead.
    const windowBytes = 200 * 20_000;
    await expect.poll(untaken).toBeGreaterThan(2 * windowBytes);
    connection.close();
    await expect.poll(untaken).toBe(0);
  });

  test('ends the reads when it leaves', async () => {
    await using gateway = await startFakedGateway();
    gateway.upstream.hold();
    const client = new AbortController();
    const answer = gateway.post(farmerIds, { headers: jsonl, signal: client.signal }).catch(() => {});
    await gateway.upstream.untilArrived(1);
    client.abort();
    await answer;
    await expect.poll(() => gateway.upstream.abandoned.length).toBeGreaterThan(0);
    expect(gateway.upstream.pending).toBe(0);
  });

  test('ends the reads when it leaves in the middle of the file', async () => {
    await using gateway = await startFakedGateway();
    gateway.upstream.respond = ({ path }) => (path.includes('offset=200') ? { stalls: true } : undefined);
    const client = new AbortController();
    const answer = await gateway.post(farmerIds, { headers: jsonl, signal: client.signal });
    await answer.body!.getReader().read();
    await gateway.upstream.untilArrived(3);
    client.abort();
    // Nothing that the gateway could write shows that the client has left.
    await expect.poll(() => gateway.upstream.abandoned).toHaveLength(1);
    expect(gateway.upstream.pending).toBe(0);
  });

  test('gets the whole file if it ends its side of the connection in the middle', async () => {
    await using gateway = await startFakedGateway();
    const gate = Promise.withResolvers<void>();
    gateway.upstream.respond = async ({ path }) => {
      if (path.includes('offset=200')) await gate.promise;
      return undefined;
    };
    const { socket } = new RawConnection(gateway.url);
    socket.allowHalfOpen = true;
    const received = text(socket);
    socket.write(rawPost(JSON.stringify({ query: farmerIds }), { Accept: 'application/jsonl' }));
    await once(socket, 'data');
    await gateway.upstream.untilArrived(3);
    socket.end();
    // The gateway has seen the end when it answers a later request.
    await gateway.ask('{ __typename }');
    gate.resolve();
    expect(await received).toContain('"$end":{"rows":240,"errors":0,"complete":true,"cursor":null}');
  });

  test('gets the whole file if it ended its side of the connection behind its request', async () => {
    await using gateway = await startGateway();
    const { socket } = new RawConnection(gateway.url);
    socket.allowHalfOpen = true;
    socket.end(rawPost(JSON.stringify({ query: farmerIds }), { Accept: 'application/jsonl' }));
    const received = await text(socket);
    expect(received).toContain('"$end":{"rows":240,"errors":0,"complete":true,"cursor":null}');
  });
});

test('a file with CALLER_CLAIMS is for a token that the service accepts, which is checked once', async () => {
  await using gateway = await startGateway({ settings: { CALLER_CLAIMS: callerClaims } });
  await proveSignatures(gateway);
  const forged = await gateway.ask(farmerIds, { headers: jsonl, key: unsigned(bearerOf(people.abena)) });
  expect([forged.status, codeOf(forged.body)]).toEqual([401, 'UNAUTHENTICATED']);
  gateway.sandbox.clearCalls();
  const { text } = await gateway.ask(farmerIds, { headers: jsonl, key: bearerOf(people.abena) });
  expect(fileOf(text).end).toMatchObject({ rows: 240, complete: true });
  expect(gateway.sandbox.calls().filter(({ path }) => path.includes('currencies'))).toHaveLength(1);
});

test('files are sent up to a number at a time, a quarter of them to one key', async () => {
  await using gateway = await startFarmers(numbered(3), undefined, { file: { limits: { operations: { files: 4 } } } });
  const ask = (key: string) => gateway.ask(farmerIds, { headers: jsonl, key });
  const refused = async (key: string) => {
    const { status, body } = await ask(key);
    expect([status, codeOf(body)]).toEqual([503, 'OVERLOADED']);
  };
  gateway.upstream.hold();
  const keys = new Set<string>();
  const asked: ReturnType<typeof ask>[] = [];
  for (const key of ['a', 'b', 'c', 'd']) {
    keys.add(key);
    asked.push(ask(key));
    await expect
      .poll(() => new Set(gateway.upstream.requests.map(({ headers }) => headers.authorization)))
      .toEqual(keys);
    await refused('a');
  }
  await refused('e');
  gateway.upstream.release();
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await ask('a')).status).toBe(200);
});

test('files of one user count together under CALLER_CLAIMS, whatever the token', async () => {
  const settings = { CALLER_CLAIMS: callerClaims };
  await using gateway = await startFarmers(numbered(3), undefined, {
    settings,
    file: { limits: { operations: { files: 4 } } },
  });
  const { respond } = gateway.upstream;
  const currencies = { body: '{"count":0,"next":null,"previous":null,"results":[]}' };
  gateway.upstream.respond = (request) =>
    request.path.startsWith('/catalogs/currencies/') ? (refuseForged(request) ?? currencies) : respond?.(request);
  const ask = (key: string) => gateway.ask(farmerIds, { headers: jsonl, key });
  const tokens = [bearerOf(people.abena), bearerOf(people.abena)] as const;
  const stranger = bearerOf(people.maartje);
  for (const token of [...tokens, stranger]) expect((await ask(token)).status).toBe(200);
  gateway.upstream.hold();
  const read = gateway.upstream.requests.length;
  const first = ask(tokens[0]);
  await expect.poll(() => gateway.upstream.requests.length).toBe(read + 1);
  expect((await ask(tokens[1])).status).toBe(503);
  const other = ask(stranger);
  await expect.poll(() => gateway.upstream.requests.length).toBe(read + 2);
  gateway.upstream.release();
  expect((await Promise.all([first, other])).map(({ status }) => status)).toEqual([200, 200]);
});

test('a stopping gateway ends its files, which say where to go on', async () => {
  const gateway = await startFarmers(numbered(5_000), undefined, { settings: { 'shutdown.timeoutMs': '20000' } });
  const { respond } = gateway.upstream;
  const later = Promise.withResolvers<void>();
  gateway.upstream.respond = async (request) => {
    if (request.path.includes('offset=400')) await later.promise;
    return respond?.(request);
  };
  const answer = await gateway.post(farmerIds, { headers: jsonl });
  await gateway.upstream.untilArrived(5);
  const closed = gateway.close();
  later.resolve();
  const { rows, end } = fileOf(await answer.text());
  expect(end).toMatchObject({ rows: rows.length, complete: false, error: { extensions: { code: 'OVERLOADED' } } });
  expect(end.cursor).toEqual(expect.any(String));
  expect(rows.length).toBeLessThan(5_000);
  await closed;
});

test('a file has a line in the log with its rows and bytes, and counts as the kind `file`', async () => {
  const lines: Value[] = [];
  const accessLogger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  await using gateway = await startFarmers(numbered(3), undefined, { accessLogger });
  const { text } = await gateway.ask(`query All ${farmerIds}`, { headers: jsonl });
  await expect.poll(() => lines.length).toBe(1);
  expect(lines[0]).toMatchObject({
    kind: 'file',
    operation: 'All',
    outcome: 'ok',
    status: 200,
    rows: 3,
    file_bytes: Buffer.byteLength(text),
    upstream_calls: 1,
  });
});
