import type { Content, Contents } from './content.ts';
import { type Deadlines, Timed } from './deadlines.ts';
import { RestError } from './errors.ts';
import { readFailure } from './failures.ts';

/** What came over the wire. */
export interface RawAnswer {
  status: number;
  content: Content;
  retryAfter: string | undefined;
}

/** Hears what becomes of a read: the status as soon as there is one, then the whole answer or the failure. */
export interface Receiver {
  onStatus?: ((status: number) => void) | undefined;
  answered(answer: RawAnswer): void;
  /** RestError for a connection that failed and at the deadline; the reason with which the read was given up. */
  failed(error: unknown): void;
}

interface Controller {
  abort(reason: Error): void;
}

/** One for all: a client that leaves gives up hundreds of reads, and an error is dear to make. Nobody sees it. */
const givenUp = new Error('The read was given up.');

/**
 * One GET under way, as undici tells of it. An operation makes a hundred of them, and to each the promises, the signal,
 * the timer and the body stream of undici's `request` would add more work than its transfer is.
 */
export class Exchange extends Timed {
  readonly #path: string;
  readonly #receiver: Receiver;
  readonly #deadlines: Deadlines;
  readonly #contents: Contents;
  #chunks: Buffer | Buffer[] | undefined;
  #controller: Controller | undefined;
  #status = 0;
  #retryAfter: string | undefined;
  #isOver = false;

  constructor(path: string, receiver: Receiver, { deadlines, contents }: { deadlines: Deadlines; contents: Contents }) {
    super();
    this.#path = path;
    this.#receiver = receiver;
    this.#deadlines = deadlines;
    this.#contents = contents;
    deadlines.start(this);
  }

  /** Ends the read early; its receiver hears the reason. */
  giveUp(reason: unknown): void {
    if (!this.#end()) return;
    this.#receiver.failed(reason);
    this.#controller?.abort(givenUp);
  }

  expire(): void {
    this.giveUp(new RestError('UPSTREAM_TIMEOUT', 'The service did not answer in time.'));
  }

  onRequestStart(controller: Controller): void {
    // Given up while it waited for a connection. An abort would close the connection, for which others wait too.
    if (this.#isOver) throw givenUp;
    this.#controller = controller;
  }

  onResponseStart(_: Controller, status: number, headers: { 'retry-after'?: string | string[] }): void {
    // 1xx: the answer is yet to come.
    if (status < 200) return;
    this.#status = status;
    this.#retryAfter = headers['retry-after'] as string | undefined;
    this.#receiver.onStatus?.(status);
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    // Most answers come in one piece.
    if (this.#chunks === undefined) this.#chunks = chunk;
    else if (Array.isArray(this.#chunks)) this.#chunks.push(chunk);
    else this.#chunks = [this.#chunks, chunk];
  }

  onResponseEnd(): void {
    if (!this.#end()) return;
    const content = this.#contents.of(this.#path, joined(this.#chunks));
    this.#chunks = undefined;
    this.#receiver.answered({ status: this.#status, content, retryAfter: this.#retryAfter });
  }

  onResponseError(_: Controller, error: Error): void {
    if (this.#end()) this.#receiver.failed(readFailure(error));
  }

  /** False if it was over before. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#deadlines.stop(this);
    return true;
  }
}

function joined(chunks: Buffer | Buffer[] | undefined): Buffer {
  return chunks === undefined || Array.isArray(chunks) ? Buffer.concat(chunks ?? []) : chunks;
}
