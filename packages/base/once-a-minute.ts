const minuteMs = 60_000;

/** Passes a call on at most once a minute, so that the log of a lasting failure stays short. */
export function onceAMinute<T extends unknown[]>(report: (...about: T) => void): (...about: T) => void {
  let silentUntil = Number.NEGATIVE_INFINITY;
  return (...about) => {
    const now = performance.now();
    if (now < silentUntil) return;
    silentUntil = now + minuteMs;
    report(...about);
  };
}
