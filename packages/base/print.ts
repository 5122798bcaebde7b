/** Writes a text to standard output. A reader such as `head` may end before the text does. */
export function print(text: string): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.stdout.write(text);
}
