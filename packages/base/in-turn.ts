const waiting: (() => void)[] = [];

/** Milliseconds after which work that comes in the same turn of the event loop waits for a later one. */
const turnMs = 4;
let turnEnd = Number.POSITIVE_INFINITY;

/** Runs long work, one piece in each turn of the event loop: the gateway answers other requests between two pieces. */
export function inTurn(work: () => void): void {
  waiting.push(work);
  if (waiting.length === 1) setImmediate(runNext);
}

/** Runs work at once, unless such work has filled this turn of the event loop. */
export function inTurnIfLate(work: () => void): void {
  const now = performance.now();
  if (turnEnd === Number.POSITIVE_INFINITY) {
    turnEnd = now + turnMs;
    setImmediate(() => {
      turnEnd = Number.POSITIVE_INFINITY;
    });
  }
  if (now < turnEnd && waiting.length === 0) work();
  else inTurn(work);
}

function runNext(): void {
  const work = waiting.shift();
  if (waiting.length > 0) setImmediate(runNext);
  work?.();
}
