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

/** Writes a text to standard output. A reader such as `head` may end before the text does. */
export function print(text: string): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.stdout.write(text);
}
