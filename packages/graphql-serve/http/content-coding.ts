import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Coding } from '../request/accept.ts';
import { send, sendHead } from './response.ts';

const { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } = zlib;

export type Coder = Transform & zlib.Zlib;

/** A coder looks back on so much text, as a power of two. More saves 1 % of the bytes, and doubles the memory. */
const windowBits = 18;
/** Larger tables of zstd would take 10 MB, and save nothing. */
const tableBits = 17;

const brotli = (bytes = 0) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_LGWIN]: windowBits,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
});
const zstd = (bytes?: number) => ({
  params: {
    [constants.ZSTD_c_compressionLevel]: 9,
    [constants.ZSTD_c_windowLog]: windowBits,
    [constants.ZSTD_c_hashLog]: tableBits,
    [constants.ZSTD_c_chainLog]: tableBits,
  },
  ...(bytes !== undefined && { pledgedSrcSize: bytes }),
});
const gzip = { level: 6 };

/**
 * `create`: a coder that works in Node's thread pool; `bytes` of the whole text, where they are known. `flush`: the one that
 * keeps what the coder has learnt. Levels are those of docs/development/performance.md.
 */
export const coders = {
  br: {
    create: (bytes?: number): Coder => createBrotliCompress(brotli(bytes)),
    codeSync: (text: Buffer) => brotliCompressSync(text, brotli(text.length)),
    flush: constants.BROTLI_OPERATION_FLUSH,
  },
  zstd: {
    create: (bytes?: number): Coder => zlib.createZstdCompress(zstd(bytes)),
    codeSync: (text: Buffer) => zlib.zstdCompressSync(text, zstd(text.length)),
    flush: constants.ZSTD_e_flush,
  },
  gzip: {
    create: (_bytes?: number): Coder => createGzip(gzip),
    codeSync: (text: Buffer) => gzipSync(text, gzip),
    flush: constants.Z_SYNC_FLUSH,
  },
};

/** Shorter answers take less time of this thread than their way to another thread. */
const syncBytes = 4_096;

/** A longer answer is sent while it is coded, without a Content-Length. */
const wholeBytes = 64 * 1024;

/**
 * Answers that are coded at the same time. Name lookups and files share Node's thread pool with them. They wait for
 * milliseconds only, because a coder gives its thread back after each 16 KiB of its output.
 */
const maxRunning = 4;
let running = 0;
const waiting: (() => void)[] = [];

/**
 * Sends an answer in a coding. Short answers go at once. Otherwise resolves with the bytes of the coded answer, when its
 * text is no longer in memory.
 */
export function sendCoded(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string | Buffer,
  coding: Coding,
): undefined | Promise<number> {
  const text = typeof body === 'string' ? Buffer.from(body) : body;
  const coded = { ...headers, 'content-encoding': coding };
  if (text.length > syncBytes) return withPlace(() => sendWhileCoded(response, status, coded, text, coding));
  send(response, status, coded, coders[coding].codeSync(text));
}

async function withPlace<T>(run: () => Promise<T>): Promise<T> {
  if (running === maxRunning) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await run();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

async function sendWhileCoded(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  text: Buffer,
  coding: Coding,
): Promise<number> {
  if (response.destroyed) return 0;
  const coder = coders[coding].create(text.length);
  const stop = () => coder.destroy();
  response.once('close', stop);
  coder.end(text);
  let pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of coder as AsyncIterable<Buffer>) {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes <= wholeBytes) continue;
      if (!response.headersSent) sendHead(response, status, headers);
      // The coder does not wait for the client: the coded answer takes less memory than its text.
      for (const each of pieces) response.write(each);
      pieces = [];
    }
  } catch (error) {
    if (response.destroyed) return 0;
    throw error;
  } finally {
    response.off('close', stop);
  }
  if (response.headersSent) response.end();
  else send(response, status, headers, Buffer.concat(pieces));
  return bytes;
}
