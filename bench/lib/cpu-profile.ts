import { connectInspector } from './inspector.ts';
import { sum } from './statistics.ts';

/** As the Chrome DevTools protocol gives it; times are microseconds. */
export interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
}

interface Profile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

/** Samples what the Node process behind that inspector does while `work` is under way. */
export async function profileCpu(
  inspectorPort: number,
  work: () => Promise<unknown>,
  intervalMicroseconds = 250,
): Promise<CpuProfile> {
  const { send, close } = await connectInspector(inspectorPort);
  await send('Profiler.enable');
  await send('Profiler.setSamplingInterval', { interval: intervalMicroseconds });
  await send('Profiler.start');
  await work();
  const { profile } = await send<{ profile: Profile }>('Profiler.stop');
  close();
  return new CpuProfile(profile);
}

/** The busy time of a profile. A stack is a node and its callers, the innermost first. */
export class CpuProfile {
  readonly #byId: ReadonlyMap<number, ProfileNode>;
  readonly #parentOf: ReadonlyMap<number, number>;
  readonly #busy: [id: number, microseconds: number][];
  /** Microseconds. */
  readonly total: number;

  constructor({ nodes, samples, timeDeltas }: Profile) {
    this.#byId = new Map(nodes.map((node) => [node.id, node]));
    this.#parentOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
    const microseconds = new Map<number, number>();
    for (const [i, id] of samples.entries()) microseconds.set(id, (microseconds.get(id) ?? 0) + timeDeltas[i]!);
    this.#busy = [...microseconds].filter(([id]) => this.#byId.get(id)!.callFrame.functionName !== '(idle)');
    this.total = sum(this.#busy.map(([, time]) => time));
  }

  /** Microseconds by key, the longest first. A sample counts once for each key of its stack. */
  tally(keysOf: (stack: ProfileNode[]) => Iterable<string>): [key: string, microseconds: number][] {
    const times = new Map<string, number>();
    for (const [id, time] of this.#busy) {
      for (const key of keysOf(this.#stackOf(id))) times.set(key, (times.get(key) ?? 0) + time);
    }
    return [...times].sort(([, a], [, b]) => b - a);
  }

  #stackOf(id: number): ProfileNode[] {
    const caller = this.#parentOf.get(id);
    return [this.#byId.get(id)!, ...(caller === undefined ? [] : this.#stackOf(caller))];
  }
}
