import type { ApolloClient } from '@apollo/client';
import { type Failure, failuresOf } from '../failures.tsx';
import { graphql } from '../gql';
import type { Queue } from './queue.ts';
import { giveUpOldKeys, markSent, nextPush, settle } from './queue-changes.ts';
import type { QueuedWrite, WriteResult } from './queued-write.ts';

/** The rows as the lists show them, because the cache puts them there. Each kind of write that the page makes has a part. */
const PushDocument = graphql(`
  mutation Push($writes: [WriteInput!]!) {
    push(writes: $writes) {
      key
      status
      object {
        ...FarmerRow
        ... on EntityCard {
          id
          is_active
          entity_id
          card {
            id
            display_id
          }
        }
        ...TransactionRow
        ... on PaymentTransaction {
          id
        }
      }
      error {
        code
        message
        retryable
        retry_after
        fields {
          path
          message
        }
      }
    }
  }
`);

/** After so long the page takes the answer for lost, and sends the same again. */
const answerTimeoutMs = 120_000;
const firstPauseMs = 1000;
const longestPauseMs = 5 * 60_000;

export interface SenderState {
  sending: boolean;
  /** Why the last push failed as a whole. */
  failure?: Failure;
}

/** Sends a queue, one push at a time, also across tabs. */
export function createSender(client: ApolloClient, queue: Queue) {
  const listeners = new Set<() => void>();
  let state: SenderState = { sending: false };
  let stopped = true;
  let pauseMs = firstPauseMs;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show(next: SenderState) {
    state = next;
    for (const listener of listeners) listener();
  }

  /** Sends all that can be sent. A second tab waits, and then finds what is left. */
  async function send() {
    await navigator.locks.request(queue.name, async () => {
      clearTimeout(timer);
      let waitMs: number | undefined = 0;
      while (waitMs === 0 && !stopped && navigator.onLine) waitMs = await pushOnce();
      if (waitMs && !stopped) timer = setTimeout(send, waitMs);
    });
  }

  /** Milliseconds until the next push, or undefined if only the user or the network can go on. */
  async function pushOnce(): Promise<number | undefined> {
    const now = Date.now();
    let push: readonly QueuedWrite[] = [];
    await queue.change((all) => {
      const sendable = giveUpOldKeys(all, now);
      push = nextPush(sendable);
      return markSent(sendable, push, now);
    });
    if (push.length === 0) return undefined;

    show({ sending: true });
    const { results, failure: failed } = await answerTo(push);
    await queue.change((all) => settle(all, results, now));
    // Open are those that the next push has again.
    const next = new Set(nextPush(queue.current()).map(({ key }) => key));
    const open = results.filter(({ key }) => next.has(key));
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

  async function answerTo(push: readonly QueuedWrite[]): Promise<Answer> {
    const { data, error } = await client.mutate({
      mutation: PushDocument,
      variables: { writes: push.map(({ key, ref, write }) => ({ key, ref, write })) },
      context: { fetchOptions: { signal: AbortSignal.timeout(answerTimeoutMs) } },
    });
    if (data) return { results: data.push };
    const [failure = noAnswer, ...more] = failuresOf(error);
    const refused = refusedBeforehand(push, [failure, ...more]);
    return refused.length > 0 ? { results: refused } : { results: [], failure };
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
      stopped = false;
      addEventListener('online', wake);
      wake();
      return () => {
        stopped = true;
        clearTimeout(timer);
        removeEventListener('online', wake);
      };
    },
  };
}

interface Answer {
  results: readonly WriteResult[];
  failure?: Failure;
}

const noAnswer: Failure = { code: 'NO_ANSWER', retryable: true, path: [] };

/** Why writes are still open: the sign-in first, because nothing goes on without one. All of them are sent again. */
function failureIn(results: readonly WriteResult[]): Failure | undefined {
  const errors = results.flatMap(({ error }) => error ?? []);
  const { code } = errors.find((error) => error.code === 'UNAUTHENTICATED') ?? errors[0] ?? {};
  const retry_after = Math.max(0, ...errors.map((error) => error.retry_after ?? 0));
  return code === undefined ? undefined : { code, retryable: true, path: [], ...(retry_after > 0 && { retry_after }) };
}

/** Input of a wrong type makes the gateway refuse the whole push. The writes at fault leave it, and the others go on. */
function refusedBeforehand(push: readonly QueuedWrite[], failures: Failure[]): WriteResult[] {
  const fields = failures.flatMap(({ fields = [] }) => fields);
  return push.flatMap(({ key }, index) => {
    const ofWrite = fields.filter(({ path: [argument, position] }) => argument === 'writes' && position === index);
    if (ofWrite.length === 0) return [];
    // After `writes`, the position, `write` and the kind comes the path in the input.
    const paths = ofWrite.map(({ path, message }) => ({ path: ['input', ...path.slice(4).map(String)], message }));
    const error = { code: 'BAD_USER_INPUT', message: '', retryable: false, retry_after: null, fields: paths };
    return [{ key, status: 'REFUSED', object: null, error }];
  });
}
