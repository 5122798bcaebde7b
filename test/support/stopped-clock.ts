import { vi } from 'vitest';

/**
 * Stops the clock of deadlines until the test ends, so that a busy machine misses none. Their timers fire, see that no time
 * has passed, and start anew.
 */
export function stopClock(): { pass(ms: number): void } {
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  return {
    pass(ms) {
      now += ms;
    },
  };
}
