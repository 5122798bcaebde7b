import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

/** A control group of Linux: the kernel kills its processes where they take more memory than it may. */
export interface MemoryCgroup {
  /** The command, started inside of the group. */
  inside(command: readonly string[]): string[];
  peakMiB(): number;
  /** After its processes have ended. */
  remove(): void;
}

const MiB = 2 ** 20;

/** @throws Error where this user may not make control groups. */
export function memoryCgroup(name: string, limitMiB: number): MemoryCgroup {
  const isSecond = existsSync('/sys/fs/cgroup/cgroup.controllers');
  const folder = `/sys/fs/cgroup/${isSecond ? '' : 'memory/'}${name}-${process.pid}`;
  mkdirSync(folder);
  writeFileSync(`${folder}/${isSecond ? 'memory.max' : 'memory.limit_in_bytes'}`, String(limitMiB * MiB));
  const peak = isSecond ? 'memory.peak' : 'memory.max_usage_in_bytes';
  return {
    inside: (command) => ['sh', '-c', `echo $$ > ${folder}/cgroup.procs && exec "$@"`, 'sh', ...command],
    peakMiB: () => Number(readFileSync(`${folder}/${peak}`, 'utf8')) / MiB,
    remove: () => rmdirSync(folder),
  };
}
