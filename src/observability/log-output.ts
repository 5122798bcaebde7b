import { constants, fstatSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { DestinationStream } from 'pino';
import sonicBoom, { type SonicBoom } from 'sonic-boom';
import { counter } from '../lib/metrics.ts';

/** All lines that this process has dropped. */
export const droppedLines = counter('log_lines_dropped_total', 'Lines that standard output did not take in time.');

/** The end of the process waits for the lines no longer. */
const maxWaitMs = 200;

const outputs: SonicBoom[] = [];

/**
 * Opens standard output for lines. Lines that it does not take wait in `bufferBytes`, and the others are dropped. `minBytes`
 * are written together, or after a second.
 */
export function openLogOutput({ bufferBytes }: { bufferBytes: number }, minBytes = 1): DestinationStream {
  const output = new sonicBoom.SonicBoom({
    fd: openStandardOutput(),
    sync: false,
    minLength: minBytes,
    // The system writes as many to a pipe in one piece: lines of several workers do not mix.
    maxWrite: 4_096,
    maxLength: bufferBytes,
    periodicFlush: 1_000,
  });
  output.on('drop', () => droppedLines.inc());
  // The lines stay in the buffer until the next attempt.
  output.on('error', () => {});
  outputs.push(output);
  // After a fatal line, pino would flush the stream itself synchronously, until something takes the line.
  return { write: (line) => void (isClosed || output.write(line)) };
}

let isClosed = false;

/** Writes the lines that wait. Resolves when standard output has taken them, refuses them, or takes too long. */
export async function closeLogOutputs(): Promise<void> {
  isClosed = true;
  const closed = outputs.map((output) => {
    const end = Promise.withResolvers<void>();
    output.once('close', end.resolve).once('error', () => end.resolve());
    output.end();
    return end.promise;
  });
  await Promise.race([Promise.all(closed), pause(maxWaitMs)]);
}

/**
 * On a blocking descriptor, a write to a full pipe holds a thread, without which the process cannot end. Other processes share
 * the inherited descriptor, and each start of a worker makes it blocking again.
 */
function openStandardOutput(): number {
  if (fstatSync(1).isFIFO()) {
    try {
      return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      // Another user has made the pipe, or the system has no /proc.
    }
  }
  // Node makes a pipe or socket non-blocking when it opens this stream.
  return process.stdout.fd;
}
