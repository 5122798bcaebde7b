import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { madeOnce } from '@gateway/base';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

const { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } = zlib;
const hasZstd = zlib.createZstdCompress !== undefined;

export type Coding = 'zstd' | 'br' | 'gzip';
/** The content codings of answers. A client that accepts several alike gets the first of them. Node 20 has no zstd. */
const codings: readonly Coding[] = [...(hasZstd ? (['zstd'] as const) : []), 'br', 'gzip'];
export type Coder = Transform & zlib.Zlib;

/** Shorter answers stay as they are. */
const minBytes = 1_000;

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

interface Accepted {
  coding: Coding | undefined;
  refusesIdentity: boolean;
}

/** As for Accept, more values than requests are in flight. */
const negotiated = new LRUCache<string, Accepted>({ max: 1_000 });

/**
 * The coding of an answer of so many bytes, by RFC 9110 (section 12.5.3). Undefined for the text as it is. A client that
 * accepts neither gets the text too, because a refusal would hide the answer of a write.
 */
export function codingFor(headers: IncomingHttpHeaders, bytes: number): Coding | undefined {
  const accept = headers['accept-encoding'];
  if (!accept) return undefined;
  const accepted = madeOnce(negotiated, accept, negotiate);
  if (bytes < minBytes && !accepted.refusesIdentity) return undefined;
  if (headers['cache-control'] && /\bno-transform\b/i.test(headers['cache-control'])) return undefined;
  return accepted.coding;
}

/** The types of negotiator lack the preference among equals. */
type Preferring = { encodings(available: readonly string[], options: { preferred: readonly string[] }): string[] };

function negotiate(accept: string): Accepted {
  const available = [...codings, 'identity'];
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accept } }) as Preferring;
  const inOrder = negotiator.encodings(available, { preferred: available });
  return {
    coding: codings.find((coding) => coding === inOrder[0]),
    refusesIdentity: !inOrder.includes('identity'),
  };
}
