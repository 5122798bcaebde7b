import { AdaptiveConcurrency } from '../adaptive-concurrency.ts';

export interface LoadOptions {
  /** Calls that the service works on side by side. The others wait inside it, and it ends what nobody waits for too. */
  workers: number;
  /** Milliseconds of a call at that time. */
  callMs(now: number): number;
  /** The time of each call: as said, up to a fifth more or less, or exponential. */
  spread: 'none' | 'fifth' | 'exponential';
  /** Calls that clients want in a second. They do not wait for each other, and leave after `patienceMs`. */
  perSecond: number;
  /** Instead: so many clients, each of whom asks again when there is an answer. */
  clients?: number;
  patienceMs: number;
  seconds: number;
  connections?: number;
  seed: number;
}

export interface LoadOutcome {
  /** Answers in time, by the second. */
  good: number[];
  /** The limit at the end of each second. */
  limits: number[];
}

/** A service behind the limit of calls in flight, in virtual time. The newest call is sent first. */
export function simulateLoad(options: LoadOptions): LoadOutcome {
  const { workers, callMs, spread, perSecond, patienceMs, seconds, connections = 128, clients } = options;
  const random = randomNumbers(options.seed);
  const concurrency = new AdaptiveConcurrency(connections, () => 0);
  const events: { at: number; run(): void }[] = [];
  const waiting: number[] = [];
  const inService: (() => void)[] = [];
  const good = Array<number>(seconds).fill(0);
  const limits: number[] = [];
  let now = 0;
  let inFlight = 0;
  let busy = 0;

  const after = (ms: number, run: () => void) => {
    const at = now + ms;
    const later = events.findLastIndex((event) => event.at >= at);
    events.splice(later + 1, 0, { at, run });
  };
  const factor = () => {
    if (spread === 'none') return 1;
    return spread === 'fifth' ? 0.8 + 0.4 * random() : -Math.log(random());
  };
  const serve = (done: () => void) => {
    busy += 1;
    after(callMs(now) * factor(), () => {
      busy -= 1;
      inService.shift()?.();
      done();
    });
  };
  const send = (cameAt: number) => {
    const [ahead, beganAt] = [inFlight, now];
    inFlight += 1;
    concurrency.begin(now);
    const done = () => {
      inFlight -= 1;
      concurrency.end(now, { endpoint: 'listFarmers', bytes: 500, ahead, ms: now - beganAt });
      if (now - cameAt <= patienceMs) good[Math.floor(now / 1000)]! += 1;
      if (clients) waiting.unshift(now);
      sendWaiting();
    };
    if (busy < workers) serve(done);
    else inService.push(() => serve(done));
  };
  const sendWaiting = () => {
    while (inFlight < concurrency.limit) {
      const cameAt = waiting.pop();
      if (cameAt === undefined) return;
      if (now - cameAt <= patienceMs) send(cameAt);
    }
  };
  const come = () => {
    waiting.push(now);
    if (waiting.length > 5_000) waiting.shift();
    sendWaiting();
    after((-Math.log(random()) * 1000) / perSecond, come);
  };
  if (clients) for (let i = 0; i < clients; i++) waiting.push(0);
  if (clients) sendWaiting();
  else come();
  for (let event = events.pop(); event && event.at < seconds * 1000; event = events.pop()) {
    now = event.at;
    limits[Math.floor(now / 1000)] = concurrency.limit;
    event.run();
  }
  return { good, limits };
}

/** Numbers above 0 and below 1, the same ones for a seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
}
