import type { Contract, Kind } from '@gateway/contract';
import type { Row } from '@gateway/rest-graph';
import type { WriteArgs } from './plan.ts';

/**
 * The part of a write's answer that still holds after later writes. These name the object in their input, and have made
 * objects of `kinds`. They may have changed the lists of the object, and its fields of these kinds. A write of its own kind
 * may also change values that the service computes, such as a stock.
 */
export function lasting(
  contract: Contract,
  { kind, answer, args }: { kind: Kind; answer: Row; args: WriteArgs },
  kinds: ReadonlySet<string>,
): Row {
  const { embedded, references } = contract.tables(kind);
  const changed = new Set([
    ...embedded.filter(({ type }) => kinds.has(type)).map(({ key }) => key),
    ...references.filter(({ reference }) => kinds.has(reference.to)).map(({ field }) => field),
  ]);
  const isSame = (key: string, value: unknown) =>
    key in args.input || key === 'id' || !(kinds.has(kind) || Array.isArray(value));
  const same = Object.entries(answer).filter(([key, value]) => isSame(key, value) && !changed.has(key));
  return Object.fromEntries(same) as Row;
}
