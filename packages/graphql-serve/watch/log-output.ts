import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { counter } from '@gateway/base';
import type { DestinationStream } from 'pino';
import sonicBoom, { type SonicBoom } from 'sonic-boom';

/** All lines that this process has dropped. */
export const droppedLines = counter('log_lines_dropped_total', 'Lines that standard output did not take in time.');

/** The end of the process waits for the lines no longer. */
const maxWaitMs = 200;

/** The descriptor that `packages/replicas/workers/primary.ts` gives a worker for the standard output. */
const workerOutput = 4;

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
  return { write: (line) => void output.write(line) };
}

/** Writes the lines that wait. Resolves when standard output has taken them, refuses them, or takes too long. */
export async function flushLogOutputs(): Promise<void> {
  const flushed = outputs.map(async (output) => {
    // Less than `minBytes` may be left when a write is under way.
    for (let times = 0; times < 2; times += 1) await new Promise((resolve) => output.flush(resolve));
  });
  await Promise.race([Promise.all(flushed), pause(maxWaitMs)]);
}

/**
 * Standard output, where a write to a full pipe or socket fails at once. A blocked write would hold a thread, without which the
 * process cannot end. Node makes pipes and sockets non-blocking when it opens this stream, for all processes that share them.
 */
function openStandardOutput(): number {
  return cluster.isWorker ? workerOutput : process.stdout.fd;
}
