import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { hostileKeys } from './hostile-service.ts';
import { slowClient } from './slow-clients.ts';
import { around, chunked, head, operationOf } from './upload-form.ts';

/** Somebody who wants more of the gateway than there is. */
export interface Attacker {
  name: string;
  /** How many of them attack at a time. */
  count: number;
  /** Milliseconds from one attack to the next. */
  pause: number;
  /** An answer that no attack may get. */
  never?: string;
  /** One attack. Resolves with what the gateway answered: a code, a status, or the end of the connection. */
  attack(target: Target, serial: number): Promise<string>;
}

export interface Target {
  url: string;
  /** Id of a payment that takes invoices. */
  payment: string;
  /** The end of all attacks. */
  signal: AbortSignal;
}

const json = (key?: string) => ({ 'content-type': 'application/json', ...(key && { authorization: key }) });

async function post(
  { url, signal }: Target,
  { query, variables, key, headers }: { query: string; variables?: object; key?: string; headers?: object },
): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...json(key), ...headers },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(40_000)]),
  });
  const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  return errors?.[0]?.extensions.code ?? String(response.status);
}

const zeros = deflateRawSync(Buffer.alloc(1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH });

/** A gzip file of 200 kB with 206 MB in it, that claims so many bytes. */
function gzipBomb(claimed: number): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(claimed, 4);
  const content = [...Array.from({ length: 197 }, () => zeros), deflateRawSync('')];
  return Buffer.concat([gzipSync('').subarray(0, 10), ...content, trailer]);
}

const bombs = [gzipBomb(197 * 1024 * 1024), gzipBomb(256 * 1024), gzipBomb(100)];

/** A document that no other serial has, with ten conditions. */
function newDocument(serial: number): { query: string; variables: object } {
  const conditions = Array.from({ length: 10 }, (_, i) => i);
  const fields = conditions.map((i) => `a${serial}_${i}: name @include(if: $v${i}) buyer { b${i}: name }`);
  const query = `query (${conditions.map((i) => `$v${i}: Boolean!`)}) { farmer(id: "F") { ${fields.join(' ')} } }`;
  return { query, variables: Object.fromEntries(conditions.map((i) => [`v${i}`, (serial >> i) % 2 === 1])) };
}

const manyObjects = `{ farmers(limit: 1000) { results { id buyer { members { id first_name last_name } } } } }`;
const manyRows = `{ ${Array.from({ length: 20 }, (_, i) => `a${i}: farmers(limit: 200) { results { id name number phone email street city country } }`)} }`;

const longList = '{ productTransactions { results { id number date created_on source { name } } } }';

/** Sends the bytes, reads nothing, and leaves when the gateway or the time ends the connection. */
function unread({ url, signal }: Target, bytes: Buffer | string, stayMs: number): Promise<string> {
  return raw({ url, signal }, (socket) => {
    socket.pause();
    socket.write(bytes);
    setTimeout(() => socket.destroy(), stayMs);
  });
}

function raw({ url, signal }: Pick<Target, 'url' | 'signal'>, act: (socket: Socket) => void): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let status = 'closed';
    const socket = connect(Number(port), hostname, () => act(socket));
    const leave = () => socket.destroy();
    signal.addEventListener('abort', leave);
    socket.on('data', (chunk) => {
      if (status === 'closed') status = chunk.toString('latin1', 9, 12);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      signal.removeEventListener('abort', leave);
      resolve(status);
    });
  });
}

/** Sends the start, and then one byte after the other. */
function drip(target: Target, start: string | Buffer, pace: number): Promise<string> {
  return raw(target, (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write('a'), pace);
    socket.on('close', () => clearInterval(timer));
  });
}

function pipelined(query: string, count: number, headers = ['Authorization: demo-coop']): string {
  const body = JSON.stringify({ query });
  const lines = ['POST /graphql HTTP/1.1', 'Host: a', 'Content-Type: application/json', ...headers];
  return `${lines.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`.repeat(count);
}

export const attackers: Attacker[] = [
  {
    name: 'documents that come once, with a key',
    count: 4,
    pause: 40,
    attack: (target, serial) => post(target, { ...newDocument(serial), key: 'demo-coop' }),
  },
  {
    name: 'documents that come once, without a key',
    count: 4,
    pause: 40,
    attack: (target, serial) => post(target, newDocument(serial)),
  },
  {
    name: 'variants of one document',
    count: 1,
    pause: 20,
    attack: (target, serial) =>
      post(target, { query: newDocument(0).query, variables: newDocument(serial).variables, key: 'demo-coop' }),
  },
  {
    name: 'millions of embedded objects',
    count: 2,
    pause: 500,
    attack: (target) => post(target, { query: manyObjects, key: hostileKeys.manyMembers }),
  },
  {
    name: 'endless answers of the service',
    count: 10,
    pause: 500,
    attack: (target, serial) =>
      post(target, { query: `{ farmer(id: "E${serial}") { id } }`, key: hostileKeys.endless }),
  },
  {
    name: 'answers of the service of 500 MB',
    count: 4,
    pause: 500,
    attack: (target, serial) =>
      post(target, { query: `{ farmer(id: "G${serial}") { id } }`, key: hostileKeys.gigantic }),
  },
  {
    name: 'forms without a key, a byte every ten seconds',
    count: 100,
    pause: 1_000,
    attack: (target) => drip(target, head(1_000_000, { Authorization: '' }), 10_000),
  },
  {
    name: 'chunked forms of 20 MB without a key',
    count: 20,
    pause: 1_000,
    attack(target) {
      const { before } = around(operationOf(target.payment), 'stranger.pdf');
      const bytes = Buffer.concat([Buffer.from(head('chunked', { Authorization: '' })), chunked(before), filePiece]);
      return raw(target, (socket) => {
        socket.write(bytes);
        let sent = 0;
        const more = () => {
          while (sent++ < 400) if (!socket.write(filePiece)) return void socket.once('drain', more);
        };
        more();
      });
    },
  },
  {
    name: 'files that drip, with made-up keys',
    count: 100,
    pause: 1_000,
    attack(target, serial) {
      const { before } = around(operationOf(target.payment), 'slow.pdf');
      const start = head(before.length + 1_000_000, { Authorization: `made-up-${serial}` });
      return drip(target, Buffer.concat([Buffer.from(start), before]), 1_000);
    },
  },
  {
    name: 'bodies that stall',
    count: 300,
    pause: 1_000,
    attack: (target) =>
      raw(target, (socket) =>
        socket.write(
          `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 262000\r\n\r\n{"query":"${'x'.repeat(250_000)}`,
        ),
      ),
  },
  {
    name: 'bodies of 200 kB in gzip, with 206 MB in them',
    count: 4,
    pause: 50,
    attack: (target, serial) =>
      raw(target, (socket) => {
        const bomb = bombs[serial % bombs.length]!;
        const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', Connection: 'close' };
        socket.write(Buffer.concat([Buffer.from(head(bomb.length, headers)), bomb]));
      }),
  },
  {
    name: 'writes under made-up keys',
    count: 4,
    pause: 50,
    attack: (target, serial) =>
      post(target, {
        query: 'mutation { createFarmer(input: { first_name: "A", last_name: "B" }) { id } }',
        key: `made-up-${serial}`,
        headers: { 'idempotency-key': crypto.randomUUID() },
      }),
  },
  {
    name: 'ids of 5,000 characters, with made-up keys',
    count: 2,
    pause: 50,
    attack: (target, serial) =>
      post(target, { query: `{ farmer(id: "${'x'.repeat(4_990)}${serial}") { id } }`, key: `made-up-${serial}` }),
  },
  {
    name: '600 pipelined lists, nothing read',
    count: 2,
    pause: 1_000,
    attack: (target) => unread(target, pipelined(manyRows, 600), 20_000),
  },
  {
    name: 'long answers, nothing read',
    count: 60,
    pause: 1_000,
    attack: (target) => unread(target, pipelined(manyRows, 1), 20_000),
  },
  {
    name: 'Accept of 14 kB, without a key',
    count: 20,
    pause: 10,
    attack: (target) => post(target, { query: '{ __typename }', headers: { accept: 'a/b,'.repeat(3_500) } }),
  },
  {
    name: '4,500 bad representations, with made-up keys',
    count: 8,
    pause: 20,
    attack: (target, serial) =>
      post(target, {
        query: 'query ($all: [_Any!]!) { _entities(representations: $all) { __typename ... on Farmer { name } } }',
        variables: { all: Array(4_500).fill(serial % 2 === 0 ? 'bad' : { __typename: 'Farmer', id: 'absent' }) },
        key: `made-up-${serial}`,
      }),
  },
  {
    name: 'lists as files, nothing read',
    count: 60,
    pause: 100,
    attack: (target, serial) =>
      unread(
        target,
        pipelined(longList, 1, [
          `Authorization: ${serial % 2 ? 'demo-coop' : `made-up-${serial}`}`,
          'Accept: text/csv',
        ]),
        120_000,
      ),
  },
  {
    name: 'files of the service, with made-up keys',
    count: 4,
    pause: 20,
    never: '200',
    async attack({ url, signal }, serial) {
      const path = new URL('/media/images/person.png', url);
      const response = await fetch(path, { headers: { authorization: `made-up-${serial}` }, signal });
      await response.bytes();
      return String(response.status);
    },
  },
  {
    name: 'small reads over new connections',
    count: 20,
    pause: 20,
    attack: (target) =>
      raw(target, (socket) => {
        socket.write(pipelined('{ farmers(limit: 1) { results { id } } }', 1));
        socket.once('data', () => socket.destroy());
      }),
  },
  ...(['silent', 'slow headers', 'trickling upload'] as const).map(
    (kind): Attacker => ({
      name: `slow clients: ${kind}`,
      count: 100,
      pause: 1_000,
      attack: async ({ url, payment, signal }) =>
        String((await slowClient(kind, { url, payment, pace: 1_000 }, signal)).status ?? 'closed'),
    }),
  ),
];

const filePiece = chunked(Buffer.alloc(50_000, 'a'));

/** Attacks until the signal. Resolves with the number of each outcome. */
export async function attack(attacker: Attacker, target: Target): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  let serial = 0;
  const again = async (index: number) => {
    // A crowd comes in the course of a few seconds.
    await sleep((5_000 * index) / attacker.count);
    while (!target.signal.aborted) {
      const outcome = await attacker.attack(target, serial++).catch((error) => reasonOf(error));
      if (!target.signal.aborted) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await sleep(attacker.pause, undefined, { signal: target.signal }).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: attacker.count }, (_, index) => again(index)));
  return outcomes;
}

function reasonOf(error: unknown): string {
  const { cause, name } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? name;
}
