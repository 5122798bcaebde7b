/** The REST service of a small library. It knows nothing of the gateway, and keeps its rows in memory. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';

interface Row {
  id: number;
  [property: string]: unknown;
}

type Body = Record<string, unknown>;

export interface Library {
  /** The base of all paths. */
  url: string;
  /** Requests in their order, such as `GET /works/?page=1&per_page=20`. */
  calls: string[];
  close(): Promise<void>;
}

const base = '/api';
const keyHeader = 'x-library-key';
const keys: ReadonlySet<unknown> = new Set(['demo-desk', 'demo-reader']);
const largestPage = 50;

/** A refusal, with its reason as the service words it. */
class Refusal extends Error {
  readonly status: number;
  readonly reason: unknown;

  constructor(status: number, reason: unknown) {
    super(String(status));
    this.status = status;
    this.reason = reason;
  }
}

/** Starts the service. Port 0 takes a free one. */
export async function startLibrary({ port = 0 } = {}): Promise<Library> {
  const tables = seed();
  const covers = new Map<string, File>();
  const calls: string[] = [];

  const server: Server = createServer(async (request, response) => {
    const { pathname, search, searchParams } = new URL(request.url ?? '', 'http://library');
    const file = covers.get(pathname);
    if (file) {
      response.writeHead(200, { 'content-type': file.type });
      response.end(Buffer.from(await file.arrayBuffer()));
      return;
    }
    calls.push(`${request.method} ${pathname.slice(base.length)}${search}`);
    const answer = await answerTo(request, pathname, searchParams).then(
      (content) => ({ ok: true, content, reason: null, status: request.method === 'POST' ? 201 : 200 }),
      (error: unknown) => {
        const { reason, status } = error instanceof Refusal ? error : new Refusal(400, 'The body cannot be read.');
        return { ok: false, content: null, reason, status };
      },
    );
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: origin + base,
    calls,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  async function answerTo(request: IncomingMessage, pathname: string, query: URLSearchParams): Promise<unknown> {
    if (!keys.has(request.headers[keyHeader])) throw new Refusal(401, 'The key is not known.');
    const [, name = '', id, part] = /^\/api\/(\w+)\/(?:(\d+)\/)?(?:(\w+)\/)?$/.exec(pathname) ?? [];
    const route = [request.method, name, id && 'id', part].filter(Boolean).join(' ');
    switch (route) {
      case 'GET works':
        return page(query, ({ title, author }) => has(title, query.get('title')) && is(author, query.get('author')));
      case 'GET copies':
        return page(query, ({ work }) => is(work, query.get('work')));
      case 'GET loans':
        return page(query, ({ borrower, lent_at }) => is(borrower, query.get('borrower')) && isAfter(lent_at, query));
      case 'GET persons':
      case 'GET subjects':
        return page(query, ({ name }) => has(name, query.get('name')));
      case 'GET works id':
      case 'GET copies id':
      case 'GET loans id':
      case 'GET persons id':
      case 'GET institutions id':
        return row(id);
      case 'POST works':
        return add({ cover: null, subjects: [], ...(await read(request, 'title', 'author')), added_at: now() });
      case 'POST loans':
        return add(lent(await read(request, 'copy', 'borrower', 'due_on')));
      case 'PATCH loans id':
        return Object.assign(row(id), await json(request));
      case 'PATCH works id cover':
        return Object.assign(row(id), { cover: await keepCover(request, row(id)) });
      default:
        throw new Refusal(404, 'There is no such path.');
    }

    function table(): Row[] {
      return tables[name] as Row[];
    }

    function row(id: string | undefined): Row {
      const found = table().find((each) => String(each.id) === id);
      if (!found) throw new Refusal(404, 'There is no such row.');
      return found;
    }

    function add(values: Body): Row {
      const added = { id: Math.max(...table().map(({ id }) => id)) + 1, ...values };
      table().unshift(added);
      return added;
    }

    function page(asked: URLSearchParams, isShown: (row: Row) => boolean) {
      const rows = table().filter(isShown);
      const size = Math.min(Number(asked.get('per_page') ?? 10), largestPage);
      const begin = (Number(asked.get('page') ?? 1) - 1) * size;
      return { total: rows.length, items: rows.slice(begin, begin + size) };
    }
  }

  function lent(loan: Body): Body {
    const { copy, borrower, due_on } = loan;
    const borrowers = [...(tables.persons as Row[]), ...(tables.institutions as Row[])];
    if (!tables.copies?.some(({ id }) => id === copy)) throw new Refusal(422, { copy: ['There is no such copy.'] });
    if (!borrowers.some(({ id }) => id === borrower))
      throw new Refusal(422, { borrower: ['There is no such borrower.'] });
    if (String(due_on) < now()) throw new Refusal(422, { general: 'The loan ends before it begins.', code: 'dates' });
    if (tables.loans?.some((other) => other.copy === copy && other.returned_at === null))
      throw new Refusal(409, 'The copy is on loan.');
    return { note: '', ...loan, lent_at: now(), returned_at: null };
  }

  async function keepCover(request: IncomingMessage, { id }: Row): Promise<string> {
    const form = await new Response(Readable.toWeb(request) as ReadableStream, {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData();
    const cover = form.get('cover');
    if (!(cover instanceof File)) throw new Refusal(422, { cover: ['This is required.'] });
    const path = `/media/covers/${id}`;
    covers.set(path, cover);
    return path;
  }
}

async function read(request: IncomingMessage, ...required: string[]): Promise<Body> {
  const body = (await json(request)) as Body;
  const missing = required.filter((name) => body[name] == null);
  if (missing.length === 0) return body;
  throw new Refusal(422, Object.fromEntries(missing.map((name) => [name, ['This is required.']])));
}

const now = () => new Date().toISOString();
const is = (value: unknown, asked: string | null) => asked === null || String(value) === asked;
const has = (value: unknown, asked: string | null) =>
  asked === null || String(value).toLowerCase().includes(asked.toLowerCase());
const isAfter = (time: unknown, query: URLSearchParams) => {
  const after = query.get('lent_after');
  return after === null || String(time) > new Date(after).toISOString();
};

/** The rows of each list, the newest first. Persons and institutions have one sequence of ids: both borrow. */
function seed(): Record<string, Row[]> {
  const day = (index: number) => new Date(Date.UTC(2021, 0, 1) + index * 86_400_000).toISOString();
  const rows = (count: number, make: (index: number) => Row) => Array.from({ length: count }, (_, at) => make(at));
  const languages = ['en', 'fr', 'de'];
  const conditions = ['NEW', 'GOOD', 'WORN'];
  const persons = rows(30, (at) => ({
    id: 1 + 2 * at,
    name: `Person ${at}`,
    email: `person${at}@library.example`,
    joined_at: day(at),
    born_on: `19${50 + at}-05-01`,
  }));
  const institutions = rows(6, (at) => ({
    id: 2 + 2 * at,
    name: `School ${at}`,
    email: `school${at}@library.example`,
    joined_at: day(at),
    city: 'Ghent',
  }));
  const works = rows(120, (at) => ({
    id: 1_000 + at,
    title: `Work ${at}`,
    year: 1900 + at,
    language: languages[at % 3],
    author: persons[at % 12]?.id,
    subjects: [501 + (at % 20), 501 + ((at * 7) % 20)].filter((id, index, all) => all.indexOf(id) === index),
    cover: null,
    added_at: day(at),
  }));
  const copies = rows(160, (at) => ({
    id: 5_000 + at,
    work: 1_000 + (at % 120),
    barcode: `B-${5_000 + at}`,
    shelf: `S${at % 9}`,
    condition: conditions[at % 3],
    price: `${10 + (at % 30)}.50`,
    acquired_at: day(at),
  }));
  const loans = rows(90, (at) => ({
    id: 9_000 + at,
    copy: 5_000 + at,
    borrower: at % 4 === 3 ? institutions[at % 6]?.id : persons[(at * 5) % 30]?.id,
    lent_by: persons[at % 2]?.id,
    lent_at: day(200 + at),
    due_on: day(230 + at).slice(0, 10),
    returned_at: at < 60 ? day(215 + at) : null,
    note: '',
  }));
  const subjects = rows(20, (at) => ({ id: 501 + at, name: `Subject ${at}`, broader: at < 5 ? null : 501 + (at % 5) }));
  return { persons, institutions, works, copies: copies.reverse(), loans: loans.reverse(), subjects };
}
