import { type PlannedWrite, writesBefore } from './plan.ts';

/** Writes that wait for each other, in the order of the list where they may. Chains do not wait for other chains. */
export function chainsOf(writes: readonly PlannedWrite[]): PlannedWrite[][] {
  const chains = new Map(writes.map((write) => [write, new Set([write])]));
  for (const write of writes) {
    const own = new Set([write, ...writesBefore(write)].map((each) => chains.get(each) ?? []));
    const joined = new Set([...own].flatMap((chain) => [...chain]));
    for (const member of joined) chains.set(member, joined);
  }
  return [...new Set(chains.values())].map(inOrder);
}

function inOrder(chain: ReadonlySet<PlannedWrite>): PlannedWrite[] {
  const ordered = new Set<PlannedWrite>();
  const add = (write: PlannedWrite) => {
    if (ordered.has(write)) return;
    for (const before of writesBefore(write)) add(before);
    ordered.add(write);
  };
  for (const write of [...chain].sort((a, b) => a.index - b.index)) add(write);
  return [...ordered];
}
