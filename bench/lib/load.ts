import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { root, track } from './processes.ts';

export interface Job {
  url: string;
  document: string;
  requests: number;
  /** Requests at a time, each on a connection of its own. */
  concurrency: number;
  /** The values of Authorization, in turn. Absent: another one in each request, so that nothing can be shared. */
  callers?: string[];
  /** The Accept-Encoding of the requests. Absent: they have none. */
  accepts?: string | undefined;
}

export interface Outcome {
  /** Answers that are not 200 or hold errors, and the start of the first. */
  errors: number;
  firstError: string;
  /** Bytes of an answer, on average. */
  bytes: number;
  perSecond: number;
  /** Milliseconds from sending to the last byte of the answer. */
  p50: number;
  p99: number;
}

export interface LoadGenerator {
  pid: number;
  /** @throws Error when a request could not be sent. */
  send(job: Job): Promise<Outcome>;
  stop(): void;
}

export function startLoadGenerator(): LoadGenerator {
  const child = track(
    spawn(process.execPath, [`${root}lib/load-generator.ts`], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid!,
    async send(job) {
      child.stdin.write(`${JSON.stringify(job)}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error('The load generator has ended.');
      const outcome = JSON.parse(value);
      if ('failed' in outcome) throw new Error(outcome.failed);
      return outcome;
    },
    stop: () => child.kill(),
  };
}
