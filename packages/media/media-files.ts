import { type Caller, type CallerHeaders, FairQueue, UpstreamError } from '@gateway/base';
import type { Contract } from '@gateway/contract';
import { connector, errorFromAnswer, NoAnswerError, readFailure } from '@gateway/upstream';
import { type Dispatcher, errors, Pool } from 'undici';

export interface MediaFilesOptions {
  /** Files at the same time. */
  running: number;
  /** `readMs`: the longest silence of the service. `queueMs`: the longest wait of a client for its turn. */
  timeouts: { connectMs: number; readMs: number; queueMs: number };
}

export interface MediaRequest {
  caller: Caller;
  method: 'GET' | 'HEAD';
  /** Path and query. */
  path: string;
  /** Ask for a range, or for a file that has changed. */
  conditions: CallerHeaders;
  /** Aborts when the client leaves. */
  signal: AbortSignal;
}

export type MediaAnswer = Dispatcher.ResponseData;

type Place = NonNullable<ReturnType<FairQueue['enter']>>;

/** An answer with a file, a part of one, or news of one. */
const goodStatuses: readonly number[] = [200, 206, 304, 416];

/** Opens files of the service. They have connections of their own, so that slow downloads delay no operation. */
export class MediaFiles {
  readonly queue: FairQueue;
  readonly #contract: Contract;
  readonly #pool: Pool;
  readonly #queueMs: number;
  readonly #running: number;

  constructor(contract: Contract, origin: string, { running, timeouts }: MediaFilesOptions) {
    this.queue = new FairQueue({ max: running, maxPerCaller: Math.ceil(running / 4) });
    this.#contract = contract;
    this.#running = running;
    this.#queueMs = timeouts.queueMs;
    this.#pool = new Pool(origin, {
      connections: running,
      pipelining: 1,
      connect: connector(timeouts.connectMs),
      // As for calls: the service closes idle sockets after 2 s.
      keepAliveTimeout: 1500,
      keepAliveMaxTimeout: 1500,
      headersTimeout: timeouts.readMs,
      // Only the time counts in which the client takes the file.
      bodyTimeout: timeouts.readMs,
    });
  }

  /** The next file has to wait for the end of another. */
  get isFull(): boolean {
    return this.queue.running >= this.#running;
  }

  /**
   * Resolves with the head of an answer, whose body the client has to read or to destroy. Follows no redirect: the key goes
   * to the service alone.
   * @throws UpstreamError for every answer but a file, and for none.
   */
  async open({ caller, method, path, conditions, signal }: MediaRequest): Promise<MediaAnswer> {
    const place = await this.#enter(caller.share, signal);
    const headers = { ...caller.sent, ...conditions, accept: '*/*', 'accept-encoding': 'identity' };
    let answer: MediaAnswer;
    try {
      answer = await this.#pool.request({ path, method, headers, signal });
    } catch (error) {
      this.queue.release(place);
      throw fileFailure(error, hasConnected(error), signal);
    }
    answer.body.once('close', () => this.queue.release(place));
    const refusal = refusalOf(answer, method, this.#contract);
    if (!refusal) return answer;
    answer.body.dump().catch(() => {});
    throw refusal;
  }

  /** Cuts the files that are under way. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }

  #enter(share: string, signal: AbortSignal): Place | Promise<Place> {
    const free = this.queue.enter(share);
    if (free) return free;
    const { promise, resolve, reject } = Promise.withResolvers<Place>();
    const giveUp = (error: unknown) => {
      this.queue.leave(share, task);
      reject(error);
    };
    const task = { begin: resolve, late: () => giveUp(tooMany) };
    const leave = () => giveUp(signal.reason);
    signal.addEventListener('abort', leave);
    // Files may hold all places for hours.
    this.queue.wait(share, task, this.#queueMs);
    return promise.finally(() => signal.removeEventListener('abort', leave));
  }
}

const tooMany = new UpstreamError('OVERLOADED', 'The gateway serves as many files as it may (media.running).', {
  retryAfter: 1,
});

function refusalOf(
  { statusCode, headers }: MediaAnswer,
  method: string,
  contract: Contract,
): UpstreamError | undefined {
  if (!goodStatuses.includes(statusCode)) {
    if (statusCode < 300) return noFile(`answered with status ${statusCode}, which is no file`);
    return errorFromAnswer(statusCode, undefined, headers['retry-after']?.toString(), { contract });
  }
  const isMeasured = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (isMeasured || statusCode > 206 || method === 'HEAD') return undefined;
  // The end of the connection would be the end of the file, also where the service breaks off.
  return noFile('does not say where the file ends');
}

function noFile(what: string): UpstreamError {
  return new UpstreamError('UPSTREAM_INVALID_RESPONSE', `The service ${what}.`);
}

/** The error came from an open connection. */
function hasConnected(error: unknown): boolean {
  if (error instanceof errors.SocketError || error instanceof errors.HTTPParserError) return true;
  const { syscall } = error as NodeJS.ErrnoException;
  return syscall === 'read' || syscall === 'write';
}

/**
 * The error of a file that did not come, or not to its end. `isBegun`: the service had the request. After the client has
 * left, the error itself.
 */
export function fileFailure(error: unknown, isBegun: boolean, client: AbortSignal): unknown {
  if (client.aborted) return error;
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
    return new NoAnswerError('UPSTREAM_TIMEOUT', 'The service did not answer in time.', error);
  }
  return readFailure(error, isBegun);
}
