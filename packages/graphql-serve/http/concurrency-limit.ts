import type { ServerResponse } from 'node:http';
import {
  type CallerQueue,
  counter,
  EventLoop,
  FairQueue,
  newcomers,
  overload,
  type Refusal,
  refused,
  strangers,
  type Task,
  withResolvers,
} from '@gateway/base';
import type { ServeSettings } from '../settings.ts';

export type ConcurrencyLimitOptions = Omit<ServeSettings['limits']['operations'], 'answerBytes'>;

/** Node takes one new connection in each turn of the event loop. A turn that starts all requests would be too long. */
const startsPerTurn = 8;

/**
 * The longest wait while the event loop is busy (controlled delay, RFC 8289). A longer queue makes all requests slower and
 * dearer, and no more of them are answered.
 */
const busyWaitMs = 25;

/** A caller with so many times the operations of another one is the reason why the event loop is busy. */
const greedyFactor = 4;

/** More operations of other callers than these are a reason themselves. */
const modestWaiting = 32;

/** One caller takes no more of the places, so that the next operation of another caller begins at once. */
const largestShare = 7 / 8;

/** `late`: no place came in time. `displaced`: the last place in the queue went to a caller with fewer operations. */
type Reason = 'caller' | 'queue' | 'busy' | 'late' | 'displaced';

interface WaitingOperation extends Task {
  refuse(reason: Reason): void;
}

/** The place of a running operation. */
export type Place = CallerQueue<WaitingOperation>;

/**
 * Limits the requests that run at a time. A few more wait: each caller in turn, however many requests the caller has. The
 * others are refused at once. After a long wait the client may have given up, and the answer would cost other clients
 * their time.
 */
export class ConcurrencyLimit {
  readonly refused = counter('operations_refused_total', 'Operations that got no place, by reason.', ['reason']);
  readonly #limits: ConcurrencyLimitOptions;
  readonly #loop: Pick<EventLoop, 'isBusy'>;
  readonly #queue: FairQueue<WaitingOperation>;
  readonly #tooMany: Refusal;
  #startsInTurn = 0;

  constructor(limits: ConcurrencyLimitOptions, loop: Pick<EventLoop, 'isBusy'> = new EventLoop()) {
    const { running, perCaller } = limits;
    this.#limits = limits;
    this.#loop = loop;
    this.#queue = new FairQueue({
      max: running,
      maxPerCaller: Math.min(perCaller, Math.ceil(largestShare * running)),
      mayBegin: () => this.#startsInTurn < startsPerTurn,
    });
    const message = `This caller has ${perCaller} operations that run or wait, and may have no more at a time (MAX_OPERATIONS_PER_CALLER).`;
    this.#tooMany = { code: 'RATE_LIMITED', message, status: 429 };
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /** No caller is refused. */
  get isFree(): boolean {
    const { running, perCaller } = this.#limits;
    return this.#queue.waiting === 0 && this.#queue.running < Math.min(running, perCaller);
  }

  /** Refuses the next operation of a caller; undefined where it gets a place, or may wait for one. */
  refuse(share: string): (Refusal & { reason: Reason }) | undefined {
    const reason = this.#reasonToRefuse(share);
    if (!reason) return undefined;
    this.refused.inc({ reason });
    return { reason, ...(reason === 'caller' && share !== strangers ? this.#tooMany : overload) };
  }

  /**
   * Takes a place, or waits for one; `leave` gives the place back. Resolves with undefined for a client that has left.
   * @throws OVERLOADED (503) where too many wait already, or where the wait takes too long.
   * @throws RATE_LIMITED (429) where the caller has too many operations.
   */
  enter(response: ServerResponse, share: string): Place | Promise<Place | undefined> {
    const place = this.#queue.enter(share);
    if (!place) return this.#wait(response, share);
    this.#start();
    return place;
  }

  /** The next caller in turn gets the place. */
  leave(place: Place): void {
    this.#queue.release(place);
  }

  #reasonToRefuse(share: string): Reason | undefined {
    if (this.isFree) return undefined;
    if (this.#isFull && !this.#rivalOf(share)) return 'queue';
    const own = this.#queue.of(share);
    // Newcomers may be all callers, after a restart. They lose their places in a full queue.
    if (own && share !== newcomers && own.running + own.waiting.length >= this.#limits.perCaller) return 'caller';
    return this.#isBehind(share, own) ? 'busy' : undefined;
  }

  get #isFull(): boolean {
    return this.#queue.running + this.#queue.waiting >= this.#limits.running + this.#limits.queued;
  }

  /**
   * Requests wait for the event loop, not for the service. Those that wait for the service may all start when it answers.
   * A caller with few requests is not refused because of one with many.
   */
  #isBehind(share: string, own: Place | undefined): boolean {
    const now = performance.now();
    const since = Math.min(this.#queue.next?.queuedAt ?? now, own?.waiting[0]?.since ?? now);
    return now - since > busyWaitMs && this.#loop.isBusy(now) && !this.#isModest(share, own);
  }

  /** Strangers have operations, or another caller has many times those of this one, and few others wait. */
  #isModest(share: string, own: Place | undefined): boolean {
    if (share === strangers) return false;
    const many = greedyFactor * (1 + (own ? own.running + own.waiting.length : 0));
    let hasGreedy = false;
    let others = 0;
    for (const caller of this.#queue.callers) {
      if (caller.share === strangers || caller.running + caller.waiting.length > many) hasGreedy = true;
      else others += caller.waiting.length;
    }
    return hasGreedy && others <= modestWaiting;
  }

  /** The caller that loses its last place in a full queue to this one: strangers, or the caller with most. */
  #rivalOf(share: string): Place | undefined {
    if (share === strangers) return undefined;
    const last = this.#queue.of(strangers);
    if (last && last.waiting.length > 0) return last;
    let most: Place | undefined;
    let length = 1 + (this.#queue.of(share)?.waiting.length ?? 0);
    for (const caller of this.#queue.callers) {
      if (caller.waiting.length <= length) continue;
      most = caller;
      length = caller.waiting.length;
    }
    return most;
  }

  #start(): void {
    this.#startsInTurn += 1;
    if (this.#startsInTurn > 1) return;
    setImmediate(() => {
      this.#startsInTurn = 0;
      this.#queue.beginWaiting();
    });
  }

  async #wait(response: ServerResponse, share: string): Promise<Place | undefined> {
    const refusal = this.refuse(share);
    if (refusal) throw refused(refusal);
    if (this.#isFull) this.#rivalOf(share)?.waiting.at(-1)?.refuse('displaced');
    const { promise, resolve, reject } = withResolvers<Place | undefined>();
    const operation: WaitingOperation = {
      begin: (place) => {
        this.#start();
        resolve(place);
      },
      refuse: (reason) => {
        this.#queue.leave(share, operation);
        this.refused.inc({ reason });
        reject(refused(overload));
      },
      late: () => operation.refuse('late'),
    };
    const giveUp = () => {
      this.#queue.leave(share, operation);
      resolve(undefined);
    };
    response.once('close', giveUp);
    this.#queue.wait(share, operation, this.#limits.queueTimeoutMs);
    return promise.finally(() => response.off('close', giveUp));
  }
}
