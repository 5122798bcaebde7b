import type { PlannedWrite } from './plan.ts';

/** Writes that wait for each other, in the order of the list. Chains do not wait for other chains. */
export function chainsOf(writes: readonly PlannedWrite[]): PlannedWrite[][] {
  const chains = new Map<PlannedWrite, PlannedWrite[]>();
  for (const write of writes) {
    const before = [...write.needs.values()].map((need) => need.write).concat(write.follows);
    const joined = [...new Set(before.map((other) => chains.get(other)))].flatMap((chain) => chain ?? []);
    const chain = [...joined, write].sort((a, b) => a.index - b.index);
    for (const member of chain) chains.set(member, chain);
  }
  return [...new Set(writes.flatMap((write) => [chains.get(write) ?? []]))];
}
