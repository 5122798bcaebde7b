import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { root, track } from './processes.ts';

/** Users who do not wait for each other: so many requests come in a second, whatever becomes of them. */
export interface OpenJob {
  url: string;
  document: string;
  seconds: number;
  /** Milliseconds that a user waits before leaving. */
  deadlineMs: number;
  perSecond?: number;
  /** Instead: so many users, each of whom sends the next request when there is an answer. */
  concurrency?: number;
  /** Connections that users have from before: to open them is no part of what is measured. */
  connections?: number;
  /** All connections take turns. Without, the one that was free last is next. */
  inTurn?: boolean;
}

export interface OpenOutcome {
  sent: number;
  /** Right answers in time. */
  right: number;
  /** Right answers. */
  perSecond: number;
  /** Milliseconds to the last byte of a right answer, and to its first, from when the request was due. */
  p50: number;
  p99: number;
  firstByteP50: number;
  firstByteP99: number;
}

export interface OpenLoadGenerator {
  pid: number;
  send(job: OpenJob): Promise<OpenOutcome>;
  stop(): void;
}

export function startOpenLoadGenerator(): OpenLoadGenerator {
  const child = track(
    spawn(process.execPath, [`${root}lib/open-load-generator.ts`], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid!,
    async send(job) {
      child.stdin.write(`${JSON.stringify(job)}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error('The load generator has ended.');
      return JSON.parse(value);
    },
    stop: () => child.kill(),
  };
}
