import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, LoadGenerator } from './load.ts';
import { cpuMilliseconds, residentMiB } from './process-tree.ts';
import type { RunningPeer, RunningStub } from './running.ts';
import { sum } from './statistics.ts';

/** The cost of one request, averaged over a load. */
export interface Measurement {
  cpuMs: number;
  /** CPU of the measuring processes, which the measured process cannot use. */
  generatorCpuMs: number;
  stubCpuMs: number;
  p50: number;
  p99: number;
  perSecond: number;
  upstreamCalls: number;
  peakRssMiB: number;
  bytes: number;
  errors: number;
}

/**
 * Measures a warm peer under a load. CPU is the user and system time of the peer's process tree. A busy machine disturbs
 * it much less than latency.
 */
export async function measure(
  generator: LoadGenerator,
  { url, pid }: RunningPeer,
  stub: RunningStub,
  load: Omit<Job, 'url'>,
): Promise<Measurement> {
  // Work that earlier loads leave, such as garbage, does not belong to this load.
  await sleep(100);
  await stub.takeCalls();
  const memory = watchMemory(pid);
  const meters = [pid, generator.pid, stub.pid].map(cpuMeter);
  const { firstError, ...outcome } = await generator.send({ ...load, url });
  await sleep(30);
  const [cpuMs = 0, generatorCpuMs = 0, stubCpuMs = 0] = meters.map((used) => used() / load.requests);
  const peakRssMiB = memory.peak();
  const upstreamCalls = sum(Object.values(await stub.takeCalls())) / load.requests;
  if (outcome.errors > 0) console.error(`${outcome.errors} answers are errors, the first is ${firstError}`);
  return { cpuMs, generatorCpuMs, stubCpuMs, upstreamCalls, peakRssMiB, ...outcome };
}

/** Returns a function for the CPU milliseconds that a process tree has used since. */
function cpuMeter(root: number): () => number {
  const before = cpuMilliseconds(root);
  return () => cpuMilliseconds(root) - before;
}

function watchMemory(pid: number): { peak(): number } {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, residentMiB(pid, 'VmRSS'));
  };
  const timer = setInterval(look, 200);
  return {
    peak() {
      clearInterval(timer);
      look();
      return peak;
    },
  };
}
