import { availableParallelism, totalmem } from 'node:os';
import type { z } from 'zod';
import { valueAt } from './places.ts';
import { bytes, count, ms } from './values.ts';

/** The few values that other defaults follow from. */
export interface Bases {
  /** Bytes that all workers share. */
  memoryLimit: number;
  /** Bytes: a share of the memory of one worker. */
  memory(share: number): number;
  /** Scales a number that is right for a worker with 1 GiB and a core of its own. A larger worker gets no more. */
  capacity(full: number): number;
  operationMs: number;
  callMs: number;
  uploadMs: number;
}

/** The machine or container that the process runs on. */
export interface Machine {
  /** Bytes: those of the container, or half of those of the machine. */
  memoryBytes: number;
  cores: number;
}

const GiB = 2 ** 30;

/** A worker with as much memory, and a core, has all that one process can use. */
const fullMemory = GiB;

/** A machine whose defaults the page of settings shows. */
export const ordinaryMachine: Machine = { memoryBytes: 4 * GiB, cores: 4 };

export function thisMachine(): Machine {
  // More than there is where nothing constrains the process.
  const constrained = process.constrainedMemory();
  const isContainer = constrained > 0 && constrained < totalmem();
  return { memoryBytes: isContainer ? constrained : totalmem() / 2, cores: availableParallelism() };
}

/** A value of `given` that cannot be used counts as absent here: the schema reports it. */
export function basesOf(given: unknown, machine: Machine): Bases {
  const at = <T>(place: string, type: z.ZodType<T>) => type.safeParse(valueAt(given, place)).data;
  const workers = at('server.workers', count()) ?? 1;
  const memoryLimit = at('server.memoryLimitBytes', bytes()) ?? Math.min(machine.memoryBytes, workers * fullMemory);
  const memory = memoryLimit / workers;
  const scale = Math.min(1, memory / fullMemory, machine.cores / workers);
  return {
    memoryLimit,
    memory: (share) => Math.max(1, Math.floor(memory * share)),
    capacity: (full) => Math.floor(full * scale),
    operationMs: at('limits.operations.timeoutMs', ms()) ?? 25_000,
    callMs: at('upstream.timeouts.readMs', ms()) ?? 20_000,
    uploadMs: at('limits.uploads.timeoutMs', ms()) ?? 300_000,
  };
}
