import type { Bases } from './bases.ts';
import { type SettingInfo, setting } from './setting.ts';
import * as value from './values.ts';

type Info = Omit<SettingInfo, 'derived'>;

/** Makers of settings whose defaults follow from others, as the page of settings says. */
export function derivedFrom({ memory, capacity, uploadMs }: Bases) {
  const tooMuch = 'must be at most the memory of a worker: MEMORY_LIMIT divided by WORKERS';
  return {
    /** Bytes: one of so many parts of the memory. */
    ofMemory: (parts: number, info: Info) =>
      setting(
        value
          .bytes()
          .refine((bytes) => bytes <= memory(1), tooMuch)
          .default(memory(1 / parts)),
        { ...info, derived: `1/${parts} of the memory` },
      ),
    /** `full`: the number for a worker with 1 GiB. */
    perGiB: (full: number, least: number, info: Info) =>
      setting(value.count().default(Math.max(least, capacity(full))), { ...info, derived: 'for each GiB' }),
    withinUpload: (ms: number, info: Info) =>
      setting(value.ms().default(Math.min(ms, uploadMs)), { ...info, derived: 'at most that of an upload' }),
  };
}
