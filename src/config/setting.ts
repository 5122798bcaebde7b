import { z } from 'zod';

// zod would compile code for each group, which pays where values are parsed often. Settings are parsed once. This counts for all
// of the process, where zod otherwise parses a few messages between workers.
z.config({ jitless: true });

/** One setting, as the page of settings shows it. */
export interface SettingInfo {
  about: string;
  /** Names the default where it is not a value. */
  none?: string;
  /** How the default follows from the memory, the processors or a deadline. */
  derived?: string;
  /** The reason to change the default. */
  change?: string;
  /** The environment variable that sets it. */
  variable?: string;
  /** An empty variable is a value, which the type may refuse. Other empty variables count as absent. */
  readsEmpty?: true;
  isSecret?: true;
}

interface GroupInfo {
  about: string;
  shape: Readonly<Record<string, z.ZodType>>;
}

/** Describes the settings and groups of the schema. */
export const infos = new WeakMap<z.ZodType, SettingInfo | GroupInfo>();

export function setting<T extends z.ZodType>(type: T, info: SettingInfo): T {
  infos.set(type, info);
  return type;
}

export function group<S extends z.ZodRawShape>(about: string, shape: S) {
  const type = z.strictObject(shape);
  const absent = type.prefault({} as z.input<typeof type>);
  infos.set(absent, { about, shape: shape as unknown as GroupInfo['shape'] });
  return absent;
}
