import type { Inspector } from './inspector.ts';

/**
 * Watches how long the main thread of a Node process works before its event loop turns again. A timer that is due in every
 * turn reads the CPU of the thread. Other processes that take the machine meanwhile do not count.
 */
export async function watchPieces({ send }: Inspector): Promise<{ takeLongestMs(): Promise<number> }> {
  await evaluate(`(${install})()`);
  return { takeLongestMs: () => evaluate('takeLongestPiece()') };

  async function evaluate(expression: string): Promise<number> {
    const { result } = await send<{ result: { value: number } }>('Runtime.evaluate', { expression });
    return result.value;
  }
}

/** Runs in the watched process. */
function install(): void {
  let before = process.threadCpuUsage();
  let longestMs = 0;
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (user + system) / 1_000);
  }, 1);
  Object.assign(globalThis, {
    takeLongestPiece() {
      const taken = longestMs;
      longestMs = 0;
      return taken;
    },
  });
}
