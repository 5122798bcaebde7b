import type { Failure } from '../failure.ts';
import { type Answer, failureIn } from './push-answer.ts';
import type { Queue } from './queue.ts';
import { giveUpOldKeys, markSent, nextPush, settle } from './queue-changes.ts';
import type { QueuedWrite } from './queued-write.ts';

const firstPauseMs = 1000;
const longestPauseMs = 5 * 60_000;

export interface SenderState {
  sending: boolean;
  /** Why the last push failed as a whole. */
  failure?: Failure;
}

/** Sends these writes, and gives what has become of them. */
export type Push = (writes: readonly QueuedWrite[]) => Promise<Answer>;

/** The device, as far as a sender needs it. */
export interface Device {
  isOnline(): boolean;
  /** Calls back when the device comes online. Gives the function that ends this. */
  onOnline(callback: () => void): () => void;
  /** Does the work when nobody else does work of that name. */
  alone(name: string, work: () => Promise<void>): Promise<void>;
}

/** Sends a queue, one push at a time. */
export function createSender(push: Push, queue: Queue, device: Device) {
  const listeners = new Set<() => void>();
  let state: SenderState = { sending: false };
  /** Calls of `start` that have not ended. */
  let starts = 0;
  let pauseMs = firstPauseMs;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show(next: SenderState) {
    state = next;
    for (const listener of listeners) listener();
  }

  /** Sends all that can be sent. A second call waits, and then finds what is left. */
  async function send() {
    await device.alone(queue.name, async () => {
      clearTimeout(timer);
      let waitMs: number | undefined = 0;
      while (waitMs === 0 && starts > 0 && device.isOnline()) waitMs = await pushOnce();
      if (waitMs && starts > 0) timer = setTimeout(send, waitMs);
    });
  }

  /** Milliseconds until the next push, or undefined if only the user or the network can go on. */
  async function pushOnce(): Promise<number | undefined> {
    const now = Date.now();
    let next: readonly QueuedWrite[] = [];
    await queue.change((all) => {
      const sendable = giveUpOldKeys(all, now);
      next = nextPush(sendable);
      return markSent(sendable, next, now);
    });
    if (next.length === 0) return undefined;

    show({ sending: true });
    const { results, failure: failed } = await push(next);
    await queue.change((all) => settle(all, results, now));
    // Open are those that the next push has again.
    const left = new Set(nextPush(queue.current()).map(({ key }) => key));
    const open = results.filter(({ key }) => left.has(key));
    const failure = failed ?? failureIn(open);
    show({ sending: false, ...(failure && { failure }) });

    const progress = open.length < results.length;
    pauseMs = progress ? firstPauseMs : Math.min(2 * pauseMs, longestPauseMs);
    if (!failure) return 0;
    if (failure.code === 'UNAUTHENTICATED' || !(failure.retryable || progress)) return undefined;
    // Phones that come online together must not come back together.
    const spreadMs = pauseMs * (0.5 + Math.random() / 2);
    return Math.max(spreadMs, 1000 * (failure.retry_after ?? 0));
  }

  const wake = () => void send();

  return {
    send,
    current: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Sends from now on whenever the device comes online. Gives the function that ends this. */
    start() {
      starts += 1;
      const ignore = device.onOnline(wake);
      wake();
      return () => {
        starts -= 1;
        if (starts === 0) clearTimeout(timer);
        ignore();
      };
    },
  };
}
