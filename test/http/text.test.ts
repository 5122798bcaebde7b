import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/harness.ts';
import { sendRaw } from '../support/raw-http.ts';

/** The gateway reads each text as its sender meant it, or refuses it. */

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const typename = '{"query":"{ __typename }"}';
const createFarmer = 'mutation ($name: String!) { createFarmer(input: { first_name: $name }) { first_name } }';
/** A mutation whose variable is written as it stands here, between quotes. */
const naming = (name: string | Buffer) =>
  Buffer.concat([
    Buffer.from(`{"query":"${createFarmer}","variables":{"name":"`),
    Buffer.from(name as string),
    Buffer.from('"}}'),
  ]);

async function send(head: string[], body: string | Buffer = '') {
  gateway.sandbox.clearCalls();
  const bytes = Buffer.from(body as string);
  const lines = [head[0], 'Host: a', 'Authorization: demo-coop', ...head.slice(1), `Content-Length: ${bytes.length}`];
  const answer = await sendRaw(
    gateway.url,
    Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]),
  );
  const { data, errors = [] } = JSON.parse(answer!.body);
  return { status: answer?.status, data, code: errors[0]?.extensions.code, calls: gateway.sandbox.calls().length };
}

const post = (type: string | undefined, body: string | Buffer, ...headers: string[]) =>
  send(['POST /graphql HTTP/1.1', ...(type === undefined ? [] : [`Content-Type: ${type}`]), ...headers], body);
const get = (search: string) => send([`GET /graphql?${search} HTTP/1.1`, 'apollo-require-preflight: true']);

const answered = { status: 200, data: { __typename: 'Query' }, code: undefined, calls: 0 };
const refused = (status: number, code: string) => ({ status, data: undefined, code, calls: 0 });

describe('a Content-Type', () => {
  test.each([
    'application/json',
    'Application/JSON;charset="UTF-8"',
    'application/json\t; charset=utf8',
    '  application/json',
    'application/json;',
  ])('%j is accepted as JSON', async (type) => {
    expect(await post(type, typename)).toEqual(answered);
  });

  test.each([
    'application/json; charset=latin1',
    'application/json; a=b; CHARSET="utf-16"',
    'application/json; charset=',
    'application/json\ta',
    'application/json garbage',
    'application/json, text/plain',
    'text/plain; application/json',
    'application/graphql+json',
    '',
    undefined,
  ])('%j is refused', async (type) => {
    expect(await post(type, naming('A'))).toEqual(refused(415, 'UNSUPPORTED_MEDIA_TYPE'));
  });
});

describe('a body', () => {
  test.each(['deflate', 'br', 'zstd', 'gzip, gzip', 'identity, gzip'])(
    'with the Content-Encoding %s is refused',
    async (coding) => {
      const answer = await post('application/json', naming('A'), `Content-Encoding: ${coding}`);
      expect(answer).toEqual(refused(415, 'UNSUPPORTED_MEDIA_TYPE'));
      const form = 'multipart/form-data; boundary=a';
      const upload = await post(form, '--a--', 'apollo-require-preflight: true', `Content-Encoding: ${coding}`);
      expect(upload).toEqual(refused(415, 'UNSUPPORTED_MEDIA_TYPE'));
    },
  );

  test('with the Content-Encoding identity is accepted', async () => {
    expect(await post('application/json', typename, 'Content-Encoding: identity')).toEqual(answered);
  });

  test('with a compressed Transfer-Encoding is refused', async () => {
    const request =
      'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n';
    const answer = await sendRaw(gateway.url, `${request}1a\r\n${typename}\r\n0\r\n\r\n`);
    expect(answer?.status).toBe(501);
    expect(answer?.body).toContain('BAD_REQUEST');
  });

  test.each([
    ['that is Latin-1', naming(Buffer.from('Immacul\xe9e', 'latin1'))],
    ['whose last character is cut', naming(Buffer.from('Immaculé').subarray(0, -1))],
    ['that holds half of a surrogate pair', naming('a\\ud800b')],
    ['that holds the other half', naming('\\uDC00')],
    ['that holds half of one in a name', `{"query":"{ __typename }","variables":{"\\uD800":1}}`],
    ['that is UTF-16', Buffer.from(typename, 'utf16le')],
    ['that begins with a byte order mark', `\ufeff${typename}`],
    ['that is a million lists', '['.repeat(200_000)],
  ])('%s is refused', async (_case, body) => {
    expect(await post('application/json', body)).toEqual(refused(400, 'BAD_REQUEST'));
  });

  test.each([
    ['a whole pair', '\\ud83c\\uddec', '🇬'],
    ['a backslash before what looks like half of one', '\\\\ud800', '\\ud800'],
    ['the character for what cannot be shown', '\ufffd', '\ufffd'],
  ])('may hold %s', async (_case, written, first_name) => {
    expect((await post('application/json', naming(written))).data).toEqual({ createFarmer: { first_name } });
  });

  test('may hold unknown members, and the last of two equal names counts', async () => {
    const body = '{"query":"{ a }","id":7,"__proto__":{"query":"{ b }"},"query":"{ __typename }"}';
    expect(await post('application/json', body)).toEqual(answered);
  });

  /** A form with a file that nobody uses. */
  const form = (name: string | Buffer, filename: string | Buffer) =>
    Buffer.concat(
      [
        '--a\r\nContent-Disposition: form-data; name="operations"\r\n\r\n',
        `{"query":"${createFarmer}","variables":{"file":null,"name":"`,
        name,
        '"}}\r\n--a\r\nContent-Disposition: form-data; name="map"\r\n\r\n{"0":["variables.file"]}',
        '\r\n--a\r\nContent-Disposition: form-data; name="0"; filename="',
        filename,
        '"\r\n\r\n\xff\r\n--a--\r\n',
      ].map((piece) => Buffer.from(piece as string)),
    );
  const postForm = (body: Buffer) => post('multipart/form-data; boundary=a', body, 'apollo-require-preflight: true');

  test('that is a form may hold any names', async () => {
    expect((await postForm(form('Immaculé', 'é.pdf'))).data).toEqual({ createFarmer: { first_name: 'Immaculé' } });
  });

  test.each([
    ['the operations', form(Buffer.from([0xe9]), 'a.pdf')],
    ['a half of a surrogate pair', form('\\ud800', 'a.pdf')],
    ["the file's name", form('A', Buffer.from([0xe9]))],
  ])('that is a form is refused if %s would be lost', async (_case, body) => {
    expect(await postForm(body)).toEqual(refused(400, 'BAD_REQUEST'));
  });
});

describe('the parameters of a GET', () => {
  test.each([
    'query={__typename}&operationName=',
    'query={__typename}&variables=null&extensions=null',
    'query={__typename}&variables=&extensions=',
    'query=%7B+__typename%20%7D&variables={"a":"%C3%A9"}&unknown=1',
  ])('%s are accepted for a query', async (search) => {
    expect(await get(search)).toEqual(answered);
  });

  test.each([
    'query={__typename}&variables={"a":"%e9"}',
    'query={__typename}&variables={"a":"%zz"}',
    'query={__typename}&variables={"a":"\xc3\xa9"}',
    'query={__typename}&variables={"a":"\\ud800"}',
    'query={__typename}&variables=[]',
    'query={__typename}&variables=7',
    'query={__typename}&extensions={',
    'query={__typename}&extensions=[]',
    'query={__typename}&query={__typename}',
    'query={__typename}&operationName=A&operationName=',
    'operationName=A',
  ])('%s are refused', async (search) => {
    expect(await get(search)).toEqual(refused(400, 'BAD_REQUEST'));
  });

  test('never run a mutation, whatever its name', async () => {
    const query = encodeURIComponent(`query A { __typename } ${createFarmer.replace('mutation', 'mutation B')}`);
    expect(await get(`query=${query}&operationName=B&variables={"name":"A"}`)).toEqual(refused(405, 'BAD_REQUEST'));
  });
});

describe('a long answer', () => {
  test.each(['Okello', 'José', 'Nguyễn', '田中', 'Zoë 😀'])('shows texts with %s as they were sent', async (part) => {
    const name = part.padEnd(60, part);
    const aliases = Array.from({ length: 20 }, (_, index) => `name${index}`);
    const fields = aliases.map((alias) => `${alias}: first_name`).join(' ');
    const query = createFarmer.replace('{ first_name }', `{ ${fields} }`);
    const { data } = await post('application/json', JSON.stringify({ query, variables: { name } }));
    expect(data).toEqual({ createFarmer: Object.fromEntries(aliases.map((alias) => [alias, name])) });
  });
});
