/** CPU and memory of a process and its descendants, from Linux's /proc: a peer may work in child processes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { sum } from './statistics.ts';

const mebibyte = 1024;
const nanosecondsPerMs = 1_000_000;

/** CPU milliseconds, user and system, that the threads of the tree have used so far. Threads that have ended do not count. */
export function cpuMilliseconds(root: number): number {
  return sum(processTree(root).flatMap(nanosecondsOfThreads)) / nanosecondsPerMs;
}

function nanosecondsOfThreads(pid: number): number[] {
  const folder = `/proc/${pid}/task`;
  const threads = existsSync(folder) ? readdirSync(folder) : [];
  return threads.map((thread) => Number((readIfThere(`${folder}/${thread}/schedstat`) ?? '0').split(' ')[0]));
}

/** Resident memory of the tree in MiB: now (`VmRSS`), or each process's highest so far (`VmHWM`). */
export function residentMiB(root: number, counter: 'VmRSS' | 'VmHWM'): number {
  return sum(processTree(root).map((pid) => kibibytesOf(pid, counter))) / mebibyte;
}

/** The process and its descendants. */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    const parent = /^\d+$/.test(entry) ? parentOf(Number(entry)) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return below(root);
}

/** Undefined for a process that is gone. */
function parentOf(pid: number): number | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  // The second field is the command in brackets, which may hold spaces and brackets.
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
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
