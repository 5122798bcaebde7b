const waiting: (() => void)[] = [];

/** Runs long work, one piece in each turn of the event loop: the gateway answers other requests between two pieces. */
export function inTurn(work: () => void): void {
  waiting.push(work);
  if (waiting.length === 1) setImmediate(runNext);
}

function runNext(): void {
  const work = waiting.shift();
  if (waiting.length > 0) setImmediate(runNext);
  work?.();
}
