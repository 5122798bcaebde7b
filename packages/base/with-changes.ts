import { isPlain } from './json.ts';

/** A part of a value: objects at any depth with some of their properties. */
export type Changes<T> = T extends readonly unknown[] | ((...args: never) => unknown)
  ? T
  : T extends object
    ? { [Key in keyof T]?: Changes<T[Key]> | undefined }
    : T;

/** The defaults, with the changes that are not undefined. Lists and objects of classes are replaced as a whole. */
export function withChanges<T>(defaults: T, changes: Changes<NoInfer<T>> | undefined): T {
  if (changes === undefined) return defaults;
  if (!isPlain(defaults) || !isPlain(changes)) return changes as T;
  const changed = Object.entries(changes).filter(([, value]) => value !== undefined);
  return {
    ...defaults,
    ...Object.fromEntries(changed.map(([key, value]) => [key, withChanges(defaults[key], value as never)])),
  };
}
