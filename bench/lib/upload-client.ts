import { createHash, randomBytes } from 'node:crypto';
import { get, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { around, contentType, operationOf } from './upload-form.ts';

export interface Upload {
  /** Id of the payment that gets the invoice. */
  payment: string;
  /** By default that of the cooperative. */
  key?: string;
  bytes: number;
  isChunked: boolean;
  lastLineEnd: '\r\n' | '';
}

/** Streams random bytes, and reads back the stored file. @throws Error unless both are equal. */
export async function uploadAndCompare(
  url: string,
  { payment, key = 'demo-coop', bytes, isChunked, lastLineEnd }: Upload,
): Promise<void> {
  const { before, after } = around(operationOf(payment), 'invoice.bin', lastLineEnd);
  const sent = createHash('sha256');
  const body = Readable.from(
    (function* () {
      yield before;
      for (const piece of contentOf(bytes)) {
        sent.update(piece);
        yield piece;
      }
      yield after;
    })(),
  );
  const length = before.length + bytes + after.length;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      authorization: key,
      'apollo-require-preflight': 'true',
      'content-type': contentType,
      ...(!isChunked && { 'content-length': length }),
    };
    const outgoing = request(url, { method: 'POST', headers, agent: false }, resolve).on('error', reject);
    body.pipe(outgoing);
  });
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  const invoice = JSON.parse(text).data?.uploadInvoice?.invoice;
  if (typeof invoice !== 'string') throw new Error(`An upload of ${bytes} bytes is answered ${text}`);
  // The gateway itself may serve the files, to keys that the service accepts.
  const stored = await digestOf(invoice, key);
  if (stored !== sent.digest('hex')) throw new Error(`The service has stored other bytes than the ${bytes} sent.`);
}

const pool = randomBytes(1024 * 1024);
const pieceBytes = 64 * 1024;

/** The given number of bytes, in pieces of a pool that begin at random. */
function* contentOf(bytes: number): Generator<Buffer> {
  yield Buffer.from('%PDF');
  for (let left = bytes - 4; left > 0; left -= pieceBytes) {
    const at = Math.floor(Math.random() * (pool.length - pieceBytes));
    yield pool.subarray(at, at + Math.min(left, pieceBytes));
  }
}

async function digestOf(url: string, key: string): Promise<string> {
  const hash = createHash('sha256');
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { headers: { authorization: key } }, resolve).on('error', reject),
  );
  for await (const chunk of answer) hash.update(chunk);
  return hash.digest('hex');
}
