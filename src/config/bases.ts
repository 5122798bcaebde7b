import { availableParallelism, totalmem } from 'node:os';
import type { z } from 'zod';
import { valueAt } from './places.ts';
import { bytes, count, countOrNone, dayMs, ms } from './values.ts';

/** The few values that other defaults follow from. */
export interface Bases {
  /** Bytes that all workers share. */
  memoryLimit: number;
  /** Bytes: a share of the memory of one worker. */
  memory(share: number): number;
  /** Scales a number that is right for a worker with 1 GiB and a core of its own. A larger worker gets no more. */
  capacity(full: number): number;
  cores: number;
  operationMs: number;
  /** Operations that run at the same time, and those that wait. */
  running: number;
  queued: number;
  callMs: number;
  uploadMs: number;
}

/** The machine or container that the process runs on. */
export interface Machine {
  /** Bytes that the container may use, or half of the machine's. */
  memoryBytes: number;
  cores: number;
}

const GiB = 2 ** 30;

/** More bytes than these, or more than one core, help one worker no more. */
const fullMemory = GiB;

/**
 * With less, operations of test/golden-calls.md are refused. Half of this holds one file of the default
 * `limits.uploads.fileBytes` without a length.
 */
export const leastWorkerBytes = 40 * 2 ** 20;

/** A machine whose defaults the page of settings shows. */
export const ordinaryMachine: Machine = { memoryBytes: 4 * GiB, cores: 4 };

export function thisMachine(): Machine {
  // More than there is where nothing constrains the process.
  const constrained = process.constrainedMemory();
  const isContainer = constrained > 0 && constrained < totalmem();
  return { memoryBytes: isContainer ? constrained : totalmem() / 2, cores: availableParallelism() };
}

/** Takes the default in place of each wrong value of `given`. The schema reports wrong values. */
export function basesOf(given: unknown, machine: Machine): Bases {
  const at = <T>(place: string, type: z.ZodType<T>) => type.safeParse(valueAt(given, place)).data;
  const workers = at('server.workers', count()) ?? 1;
  const memoryLimit = at('server.memoryLimitBytes', bytes()) ?? Math.min(machine.memoryBytes, workers * fullMemory);
  const memory = memoryLimit / workers;
  const scale = Math.min(1, memory / fullMemory, machine.cores / workers);
  const capacity = (full: number) => Math.floor(full * scale);
  return {
    memoryLimit,
    memory: (share) => Math.max(1, Math.floor(memory * share)),
    capacity,
    cores: machine.cores,
    running: at('limits.operations.running', count()) ?? Math.max(1, capacity(200)),
    queued: at('limits.operations.queued', countOrNone()) ?? capacity(400),
    operationMs: at('limits.operations.timeoutMs', ms()) ?? 25_000,
    callMs: at('upstream.timeouts.readMs', ms()) ?? 20_000,
    uploadMs: at('limits.uploads.timeoutMs', ms(dayMs)) ?? 300_000,
  };
}
