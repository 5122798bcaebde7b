import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Coding } from '../request/accept.ts';
import type { CurrentRequest } from '../request/current-request.ts';
import { type Coder, coders } from './content-coding.ts';
import { sendHead } from './response.ts';

/** Watches the client while the stream writes. */
type Watch = (write: () => Promise<void>) => Promise<void>;

/** The connection stores about so much that its client has not taken. */
const partBytes = 64 * 1024;

/**
 * An answer that is written piece by piece, in a coding or as it is. Call its methods one after the other, each when the one
 * before has resolved. They reject once the client has left.
 */
export class AnswerStream {
  readonly sent: NonNullable<CurrentRequest['sent']> = { bytes: 0, isWhole: false };
  readonly #coding: Coding | undefined;
  readonly #coder: Transform;
  readonly #end: Promise<void>;
  readonly #watch: Watch;
  #reject: (error: Error) => void = () => {};

  constructor(response: ServerResponse, headers: OutgoingHttpHeaders, coding: Coding | undefined, watch: Watch) {
    // nginx sends each piece as it comes.
    sendHead(response, 200, { ...headers, 'x-accel-buffering': 'no', ...(coding && { 'content-encoding': coding }) });
    this.#coding = coding;
    this.#watch = watch;
    this.#coder = coding ? coders[coding].create() : new PassThrough();
    this.#end = pipeline(this.#coder, response);
    // A stream that is destroyed never calls back for the piece that it works on.
    this.#end.catch((error) => this.#reject(error));
  }

  /** Sends a piece, which the client can read at once. Resolves when the client has room for more. */
  write(piece: string | Buffer): Promise<void> {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    this.sent.bytes += bytes.length;
    const coding = this.#coding;
    return this.#watch(async () => {
      for (let at = 0; at < bytes.length; at += partBytes) {
        await this.#settled((done) => this.#coder.write(bytes.subarray(at, at + partBytes), done));
      }
      if (coding) await this.#settled((done) => (this.#coder as Coder).flush(coders[coding].flush, done));
    });
  }

  /** Resolves when the system has taken the whole answer. */
  end(): Promise<void> {
    return this.#watch(async () => {
      this.#coder.end();
      await this.#end;
      this.sent.isWhole = true;
    });
  }

  #settled(run: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#coder.destroyed) reject(new Error('The client has left.'));
      else run((error) => (error ? reject(error) : resolve()));
    });
  }
}
