/** The streams that a command writes to. */
export interface Output {
  log(text: string): void;
  error(text: string): void;
}

/** The exit code of a command: 2 where it cannot do its work, and prints why. */
export async function exitCodeOf(work: () => Promise<number>, output: Output): Promise<number> {
  try {
    return await work();
  } catch (error) {
    output.error((error as Error).message);
    return 2;
  }
}

/** Writes a text to standard output. */
export function print(text: string): void {
  // Node warns of many listeners, and a command may print many times.
  process.stdout.off('error', allowEnd).on('error', allowEnd).write(text);
}

/** A reader such as `head` may end before the text does. */
function allowEnd(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
