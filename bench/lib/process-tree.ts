/** CPU and memory of a process and its descendants, from Linux's /proc: a peer may work in child processes. */
import { readdirSync, readFileSync } from 'node:fs';
import { sum } from './statistics.ts';

/** Milliseconds of a clock tick: USER_HZ is 100 on every Linux that Node runs on. */
const tick = 10;
const mebibyte = 1024;

/** CPU milliseconds, user and system, that the tree has used so far. */
export function cpuMilliseconds(root: number): number {
  return tick * sum(processTree(root).map((pid) => statOf(pid)?.ticks ?? 0));
}

/** Resident memory of the tree in MiB: now (`VmRSS`), or each process's highest so far (`VmHWM`). */
export function residentMiB(root: number, counter: 'VmRSS' | 'VmHWM'): number {
  return sum(processTree(root).map((pid) => kibibytesOf(pid, counter))) / mebibyte;
}

/** The process and its descendants. */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? statOf(Number(entry)) : undefined;
    if (stat) children.set(stat.parent, [...(children.get(stat.parent) ?? []), Number(entry)]);
  }
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return below(root);
}

/** Ticks include those of children that have ended. Undefined for a process that is gone. */
function statOf(pid: number): { parent: number; ticks: number } | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the command in brackets, which may hold spaces and brackets.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { parent: fields[1]!, ticks: sum(fields.slice(11, 15)) };
}

function kibibytesOf(pid: number, counter: string): number {
  const status = readIfThere(`/proc/${pid}/status`) ?? '';
  return Number(new RegExp(`^${counter}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
