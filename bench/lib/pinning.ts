import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { processTree } from './process-tree.ts';

/** Cores that the gateway may use: as many as it has workers at most. */
export const gatewayCores = 2;

/** The machine has cores for the measuring processes beside the cores of the gateway. */
export const isPinned = availableParallelism() > gatewayCores;

/** Pins the generator and the stub to other cores than the gateway, where the machine has enough. */
export function pinApart(gateway: number, aside: number[]): void {
  if (!isPinned) return;
  pin(gateway, `0-${gatewayCores - 1}`);
  for (const root of aside) pin(root, `${gatewayCores}-${availableParallelism() - 1}`);
}

function pin(root: number, cores: string): void {
  for (const pid of processTree(root)) execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, `${pid}`]);
}
