import type { Sandbox } from '../server.ts';
import type { Cost, Pace } from './options.ts';

interface ChosenPace {
  pace: 'none' | 'real' | Pace;
  /** The cost of each call; absent where endpoints differ, as those of the real service do. */
  cost?: Required<Cost>;
  /** Calls that the sandbox works on at once; absent for as many as the real service. */
  parallelism?: number;
}

const workers = 64;

const paces: ReadonlyMap<string, ChosenPace> = new Map<string, ChosenPace>([
  // About its own work.
  ['none', { pace: 'none', cost: { callMs: 1, rowMs: 0.02 } }],
  ['50ms', { pace: { workers, default: { callMs: 50 } }, cost: { callMs: 50, rowMs: 0 }, parallelism: workers }],
  ['real', { pace: 'real' }],
]);

/** Changes the pace of a running sandbox, for all who call it. */
export class PaceSwitch {
  /** `none`, `50ms` or `real`; another text for the figures of a file. */
  name: string;
  readonly #sandbox: Pick<Sandbox, 'setPace'>;

  /** `first`: the pace that the sandbox was started with. */
  constructor(sandbox: Pick<Sandbox, 'setPace'>, first: string) {
    this.#sandbox = sandbox;
    this.name = paces.has(first) ? first : 'from a file';
  }

  /** Undefined for a name that is no pace. */
  change(name: string): Omit<ChosenPace, 'pace'> | undefined {
    const chosen = paces.get(name);
    if (!chosen) return undefined;
    this.name = name;
    this.#sandbox.setPace(chosen.pace);
    return chosen;
  }
}
