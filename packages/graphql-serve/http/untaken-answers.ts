import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type MemoryShare, madeOnce } from '@gateway/base';
import type { ServeSettings } from '../settings.ts';
import { averagedMs, Pace, type PaceLimits } from '../uploads/pace.ts';
import type { Transfer } from '../uploads/transfer-limit.ts';
import { bytesTaken } from './node-internals.ts';

type Write = () => undefined | Promise<number>;

/**
 * Answers that clients have not taken yet share a part of the memory. Where the share is full, the connection that has taken
 * nothing for longest is closed. Clients who read their answers are served meanwhile.
 */
export class UntakenAnswers {
  readonly #share: MemoryShare;
  readonly #limits: PaceLimits;
  readonly #untaken = new Map<ServerResponse, Untaken>();
  /** The paces of the clients that take files, in one part or in many. */
  readonly #paces = new WeakMap<ServerResponse, Pace>();
  #timer: NodeJS.Timeout | undefined;

  constructor(share: MemoryShare, { responseTimeoutMs, minBytesPerSecond }: ServeSettings['limits']['clients']) {
    this.#share = share;
    this.#limits = {
      idleMs: responseTimeoutMs,
      averagedMs: Math.min(averagedMs, responseTimeoutMs),
      minBytesPerSecond,
    };
  }

  /** Calls `write`, which writes so many bytes, when they fit. `write` may resolve later, with the fewer bytes that it wrote. */
  write(response: ServerResponse, bytes: number, write: Write): void | Promise<void> {
    if (!this.#share.take(bytes)) return this.hold(bytes).then((taken) => this.#write(response, taken, write));
    return this.#write(response, bytes, write);
  }

  /** Takes memory for a part of an answer when it fits. Resolves with the bytes for `release`. */
  async hold(bytes: number): Promise<number> {
    // An answer that is larger than the share has all of the share.
    const room = Math.min(bytes, this.#share.maxBytes);
    while (!this.#share.take(room)) {
      const closed = this.#closeIdlest();
      // Only the close frees the memory of a connection. Without one to close, other answers are about to be written.
      await (closed ? once(closed, 'close') : pause(10));
    }
    return room;
  }

  /** Watches the client while `write` writes a file, or a part of one. The client has to take it at the least rate. */
  async writePart(response: ServerResponse, write: () => Promise<void>): Promise<void> {
    const pace = madeOnce(this.#paces, response, () => new Pace(this.#limits));
    // Between two parts the client waits for the gateway, and is not late.
    this.#begin(response, pace);
    try {
      await write();
    } finally {
      this.#end(response);
    }
  }

  /** The file that the answer is. */
  transfer(response: ServerResponse, caller: string): Transfer {
    return {
      caller,
      behindMs: () => {
        this.#untaken.get(response)?.observe(performance.now());
        return this.#paces.get(response)?.behindMs ?? 0;
      },
      giveWay() {
        if (response.destroyed) return false;
        response.req.socket.resetAndDestroy();
        return true;
      },
    };
  }

  /** Watches an answer that was written otherwise, unless the client has taken it. */
  watch(response: ServerResponse): void {
    if (isOver(response) || this.#untaken.has(response)) return;
    const { socket } = response.req;
    this.#watch(response, this.take(socket.writableLength, socket));
  }

  /**
   * Takes memory that a connection uses already. Where it does not fit, one connection is closed for it. Returns the
   * bytes for `release`.
   */
  take(bytes: number, socket: Socket): number {
    if (this.#share.take(bytes)) return bytes;
    if (!this.#closeIdlest()) socket.resetAndDestroy();
    return 0;
  }

  release(bytes: number): void {
    this.#share.release(bytes);
  }

  #write(response: ServerResponse, bytes: number, write: Write): void | Promise<void> {
    const writing = write();
    if (writing) return this.#written(response, bytes, writing);
    this.#keep(response, bytes);
  }

  async #written(response: ServerResponse, taken: number, writing: Promise<number>): Promise<void> {
    let bytes = 0;
    try {
      bytes = Math.min(await writing, taken);
    } finally {
      this.#share.release(taken - bytes);
    }
    this.#keep(response, bytes);
  }

  #keep(response: ServerResponse, bytes: number): void {
    if (isOver(response)) this.#share.release(bytes);
    else this.#watch(response, bytes);
  }

  #watch(response: ServerResponse, bytes: number): void {
    this.#begin(response);
    response.once('close', () => {
      this.#share.release(bytes);
      this.#end(response);
    });
  }

  #begin(response: ServerResponse, pace?: Pace): void {
    this.#untaken.set(response, new Untaken(response.req.socket, pace));
    this.#timer ??= setInterval(() => this.#closeLate(), Math.min(this.#limits.idleMs, 1_000));
  }

  #end(response: ServerResponse): void {
    this.#untaken.get(response)?.end();
    this.#untaken.delete(response);
    if (this.#untaken.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #closeIdlest(): Socket | undefined {
    let idlest: Untaken | undefined;
    for (const untaken of this.#observed()) {
      if (!untaken.socket.destroyed && (!idlest || untaken.since < idlest.since)) idlest = untaken;
    }
    return idlest?.socket.resetAndDestroy();
  }

  #closeLate(): void {
    const { idleMs, averagedMs } = this.#limits;
    const latest = performance.now() - idleMs;
    for (const { socket, since, pace } of this.#observed()) {
      // After another close the kernel would go on sending its part of the answer.
      if (since <= latest || (pace && pace.behindMs > averagedMs)) socket.resetAndDestroy();
    }
  }

  #observed(): Iterable<Untaken> {
    const now = performance.now();
    for (const untaken of this.#untaken.values()) untaken.observe(now);
    return this.#untaken.values();
  }
}

/** The connection of an answer, and when its client was last seen to take something. */
class Untaken {
  readonly socket: Socket;
  readonly pace: Pace | undefined;
  since = performance.now();
  #taken: number;

  constructor(socket: Socket, pace: Pace | undefined) {
    this.socket = socket;
    this.pace = pace;
    this.#taken = bytesTaken(socket);
    pace?.wait();
  }

  observe(now: number): void {
    const taken = bytesTaken(this.socket);
    const hasTakenAll = this.socket.writableLength === 0;
    if (taken === this.#taken && !hasTakenAll) return;
    this.since = now;
    this.pace?.add(taken - this.#taken);
    this.#taken = taken;
    // A client that has taken all waits for the gateway, or for the service behind it.
    if (!hasTakenAll) this.pace?.wait();
  }

  end(): void {
    this.pace?.add(bytesTaken(this.socket) - this.#taken);
  }
}

/** The client has left, or the kernel has taken the whole answer. The kernel takes most answers at once. */
function isOver({ destroyed, writableFinished, writableEnded, socket }: ServerResponse): boolean {
  return destroyed || writableFinished || (writableEnded && socket?.writableLength === 0);
}
