import { Agent, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { around, contentType, operationOf, pdf } from './upload-form.ts';

export type Kind = 'query' | 'write' | 'keyed write' | 'upload' | 'slow upload' | 'file' | 'media';

/** A request as its client saw it. */
export interface Sent {
  kind: Kind;
  /** The name of the farmer or the file, unique among the requests; empty for reads. */
  marker: string;
  ms: number;
  /** The id of the farmer, if an answer gave it. */
  id?: string;
  /** Status, code or error of each attempt without a good answer; the last attempt may have been good. */
  failures: string[];
  isAnswered: boolean;
  /** The gateway that made the write has ended without a record of its outcome. No repetition makes the write again. */
  isUnknown?: boolean;
  /** A file that ended early, with the cursor of its next row. */
  endedEarly?: boolean;
}

export interface Load {
  sent: Sent[];
  /** Resolves when the last answer is there. */
  stop(): Promise<void>;
}

interface Answer {
  status: number;
  text: string;
}

const clients: Record<Kind, number> = {
  query: 10,
  write: 3,
  'keyed write': 3,
  upload: 2,
  'slow upload': 2,
  file: 2,
  media: 1,
};
const queries = [
  '{ farmers(limit: 5) { results { id name } } }',
  '{ productTransactions(limit: 3) { results { id source { name } } } }',
];
const createFarmer = 'mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { id } }';
const authorization = { authorization: 'demo-coop' };
const json = { ...authorization, 'content-type': 'application/json' };
const statusType = 'application/graphql-response+json';
const uploadBytes = 200_000;
const slowPieces = 40;
const slowPieceBytes = 10_000;
const slowPauseMs = 200;
/** A client with a key repeats its write for so long. */
const repeatMs = 30_000;

/**
 * Clients of all kinds, each with one request at a time. Half of the queries come over new connections. `repeats`: a client
 * repeats a write with an Idempotency-Key until its answer is final.
 */
export function startLoad(url: string, payments: string[], { repeats }: { repeats: boolean }): Load {
  const agent = new Agent({ keepAlive: true });
  const sent: Sent[] = [];
  let isOver = false;
  let count = 0;
  let media: string | undefined;

  const running = (Object.keys(clients) as Kind[]).flatMap((kind) =>
    Array.from({ length: clients[kind] }, async (_, client) => {
      while (!isOver) {
        sent.push(await one(kind, client));
        await pause(10 + Math.random() * 40);
      }
    }),
  );
  return {
    sent,
    async stop() {
      isOver = true;
      await Promise.all(running);
      agent.destroy();
    },
  };

  async function one(kind: Kind, client: number): Promise<Sent> {
    const number = ++count;
    const result: Sent = { kind, marker: '', ms: 0, failures: [], isAnswered: false };
    const startedAt = performance.now();
    // Only a client with a key repeats.
    const repeatsUntil = repeats && kind === 'keyed write' ? startedAt + repeatMs : startedAt;
    do {
      try {
        await send(result, client, number);
        result.isAnswered = true;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        result.failures.push(code ?? message);
        result.isUnknown = message.endsWith('OUTCOME_UNKNOWN');
        await pause(100);
      }
    } while (!result.isAnswered && !result.isUnknown && performance.now() < repeatsUntil);
    result.ms = performance.now() - startedAt;
    return result;
  }

  async function send(result: Sent, client: number, number: number): Promise<void> {
    const { kind } = result;
    if (kind === 'query') {
      const query = queries[number % queries.length];
      const answer = await exchange({ headers: json, body: JSON.stringify({ query }), isNew: client % 2 === 0 });
      dataOf(answer);
    } else if (kind === 'write' || kind === 'keyed write') {
      result.marker = `Rolling ${number}`;
      const headers = { ...json, ...(kind === 'keyed write' && { 'idempotency-key': result.marker }) };
      const variables = { input: { first_name: result.marker } };
      const answer = await exchange({ headers, body: JSON.stringify({ query: createFarmer, variables }) });
      result.id = (dataOf(answer).createFarmer as { id: string }).id;
    } else if (kind === 'upload' || kind === 'slow upload') {
      result.marker = `rolling-${number}.bin`;
      const payment = payments[kind === 'upload' ? client : clients.upload + client] as string;
      const answer = await upload(payment, result.marker, kind === 'slow upload');
      const { invoice } = dataOf(answer).uploadInvoice as { invoice: string };
      media = new URL(invoice).pathname;
    } else if (kind === 'file') {
      const query = '{ farmers(limit: 300) { results { id name } } }';
      const headers = { ...json, accept: 'application/jsonl', 'accept-encoding': 'identity' };
      const { status, text } = await exchange({ headers, body: JSON.stringify({ query }) });
      if (status !== 200) throw new Error(`${status}`);
      const end = JSON.parse(text.trim().split('\n').at(-1) as string).$end;
      if (!end) throw new Error('a file without its end');
      if (end.error && !end.cursor) throw new Error('a file that ended without a cursor');
      result.endedEarly = Boolean(end.error);
    } else if (media) {
      const { status } = await exchange({ method: 'GET', path: media, headers: authorization });
      if (status !== 200) throw new Error(`${status}`);
    }
  }

  function upload(payment: string, name: string, isSlow: boolean): Promise<Answer> {
    const { before, after } = around(operationOf(payment), name);
    const [pieces, bytes] = isSlow ? [slowPieces, slowPieceBytes] : [1, uploadBytes];
    async function* content() {
      yield before;
      for (let piece = 0; piece < pieces; piece++) {
        if (isSlow) await pause(slowPauseMs);
        yield pdf(bytes);
      }
      yield after;
    }
    const length = String(before.length + pieces * bytes + after.length);
    const headers = { ...authorization, 'content-type': contentType, 'apollo-require-preflight': 'true' };
    return exchange({ headers: { ...headers, 'content-length': length }, body: Readable.from(content()) });
  }

  /** Rejects unless the whole answer comes. */
  async function exchange(options: {
    headers: Record<string, string>;
    body?: string | Readable;
    method?: string;
    path?: string;
    isNew?: boolean;
  }): Promise<Answer> {
    const { headers, body, method = 'POST', path, isNew = false } = options;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const init = { method, headers: { accept: statusType, ...headers }, agent: isNew ? (false as const) : agent };
      const outgoing = request(path ? new URL(path, url) : url, init, resolve).on('error', reject);
      if (body instanceof Readable) body.pipe(outgoing);
      else outgoing.end(body);
    });
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode as number, text };
  }
}

/** @throws Error with the status, and the code of the first error if there is one. */
function dataOf({ status, text }: Answer): Record<string, unknown> {
  let parsed: { data?: Record<string, unknown> | null; errors?: { extensions?: { code?: string } }[] } | undefined;
  try {
    parsed = JSON.parse(text);
  } catch {
    // A page of the proxy is no JSON.
  }
  if (status === 200 && parsed?.data && !parsed.errors) return parsed.data;
  throw new Error([status, parsed?.errors?.[0]?.extensions?.code].filter(Boolean).join(' '));
}
