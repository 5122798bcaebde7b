import type { Write } from '../gql/graphql.ts';
import { mapRefs, type NewWrite, type QueuedWrite, refsIn, type WriteResult } from './queued-write.ts';

// Each change makes a new queue out of the old one. Writes that it does not concern stay the same objects.

type Queue = readonly QueuedWrite[];

/** The gateway remembers a key for `idempotency.ttlMs`: a day, unless its operator has chosen another time. */
const keyLifetimeMs = 24 * 60 * 60 * 1000;

/** Few writes in each push give a slow network small requests, and the user news. The gateway takes 200. */
const writesPerPush = 50;

export function add(queue: Queue, added: NewWrite[], now: number): Queue {
  const last = queue.at(-1)?.position ?? 0;
  const fresh = added.map(
    (write, index): QueuedWrite => ({
      ...write,
      position: last + 1 + index,
      key: crypto.randomUUID(),
      state: 'pending',
      madeAt: now,
    }),
  );
  return [...queue, ...fresh];
}

/** The writes of the next push, in order. A write waits for one that is refused or unknown. */
export function nextPush(queue: Queue): Queue {
  const refs = new Set<string>();
  const push = queue.filter(({ state, ref, write }) => {
    const ready = state === 'pending' && refs.size < writesPerPush && refsIn(write).every((needed) => refs.has(needed));
    if (ready) refs.add(ref);
    return ready;
  });
  return push;
}

/** Marks writes before the page sends them: a crash from here on leaves them as perhaps done. */
export function markSent(queue: Queue, push: Queue, now: number): Queue {
  return queue.map((queued) => (push.includes(queued) && !queued.sentAt ? { ...queued, sentAt: now } : queued));
}

/** Gives up writes whose key the gateway may remember no longer, because another sending could make a second row. */
export function giveUpOldKeys(queue: Queue, now: number): Queue {
  return queue.map((queued) => {
    const { state, sentAt = now } = queued;
    return state === 'pending' && now - sentAt > keyLifetimeMs ? { ...queued, state: 'unknown' } : queued;
  });
}

/** Takes the answer to the push that began at `pushedAt`. */
export function settle(queue: Queue, results: readonly WriteResult[], pushedAt: number): Queue {
  const byKey = new Map(results.map((result) => [result.key, result]));
  const answered = queue.map((queued) => {
    const result = byKey.get(queued.key);
    return result ? answeredWith(queued, result, pushedAt) : queued;
  });
  return nameIds(answered);
}

function answeredWith(queued: QueuedWrite, { status, object, error }: WriteResult, pushedAt: number): QueuedWrite {
  const { error: _earlier, ...rest } = queued;
  const answered: QueuedWrite = { ...rest, ...(error && { error }) };
  switch (status) {
    case 'DONE':
    case 'REPLAYED':
      return { ...answered, state: 'done', ...(object && { id: idOf(object) }) };
    case 'REFUSED':
      // The gateway knows the key with another input, which may have happened.
      return { ...answered, state: error?.code === 'IDEMPOTENCY_CONFLICT' ? 'unknown' : 'refused' };
    case 'UNKNOWN':
      // Another sending under the key may still find out.
      return error?.retryable ? answered : { ...answered, state: 'unknown' };
    case 'NOT_TRIED': {
      // An earlier sending whose answer was lost may have happened, so its time stays.
      const { sentAt, ...unsent } = answered;
      return sentAt === pushedAt ? unsent : answered;
    }
  }
}

/** A field `card` takes the card of an assignment, as it takes the ref of one. */
function idOf(object: NonNullable<WriteResult['object']>): string {
  return 'card' in object && object.card ? object.card.id : object.id;
}

/** Writes ids in the place of the refs of all writes that are done, which may leave the queue then. */
function nameIds(queue: Queue): Queue {
  const ids = new Map(queue.flatMap(({ ref, id }) => (id === undefined ? [] : [[ref, id]])));
  return queue.map((queued) =>
    refsIn(queued.write).some((ref) => ids.has(ref))
      ? { ...queued, write: mapRefs(queued.write, (ref) => ids.get(ref)) }
      : queued,
  );
}

/** Makes a write anew, maybe corrected: another action of the user, under another key. */
export function makeAnew(queue: Queue, key: string, write: Write): Queue {
  return queue.map((queued) => {
    if (queued.key !== key) return queued;
    const { sentAt: _sentAt, error: _error, ...rest } = queued;
    return { ...rest, write, key: crypto.randomUUID(), state: 'pending' };
  });
}

/** Ends a write that the user has found. Other writes that need it get its id. */
export function foundDone(queue: Queue, key: string, id?: string): Queue {
  return nameIds(
    queue.map((queued) =>
      queued.key === key ? { ...queued, state: 'done', ...(id !== undefined && { id }) } : queued,
    ),
  );
}

/** Drops a write, with those that cannot happen without it. One that may have happened stays. */
export function drop(queue: Queue, key: string): Queue {
  const dropped = queue.find((queued) => queued.key === key);
  if (!dropped || (dropped.state === 'pending' && dropped.sentAt)) return queue;
  const gone = [dropped, ...dependentsOf(queue, dropped)];
  return queue.filter((queued) => !gone.includes(queued));
}

export function dropDone(queue: Queue): Queue {
  return queue.filter(({ state }) => state !== 'done');
}

/** The writes that cannot happen without this one, in order. */
export function dependentsOf(queue: Queue, { ref }: QueuedWrite): Queue {
  const refs = new Set([ref]);
  return queue.filter((queued) => {
    const needs = refsIn(queued.write).some((needed) => refs.has(needed));
    if (needs) refs.add(queued.ref);
    return needs;
  });
}
