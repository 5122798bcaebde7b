import type { Contract, Kind } from '@gateway/contract';
import type { Row } from '@gateway/rest-graph';
import type { WriteArgs } from './plan.ts';

/**
 * The part of a write's answer that still holds after later writes, which name the object in their input. They have made
 * objects of `kinds`, and may have changed fields of these kinds. They may also have changed lists, and the time that an
 * update compares. A write of the object's own kind may change values that the service computes, such as a stock.
 */
export function lasting(
  contract: Contract,
  { kind, answer, args }: { kind: Kind; answer: Row; args: WriteArgs },
  kinds: ReadonlySet<string>,
): Row {
  const { embedded, references } = contract.tables(kind);
  const ownEndpoints = Object.values(contract.data.endpoints).filter((endpoint) => endpoint.kind === kind);
  const changed = new Set([
    ...embedded.filter(({ type }) => kinds.has(type)).map(({ key }) => key),
    ...references.filter(({ reference }) => kinds.has(reference.to)).map(({ field }) => field),
    ...ownEndpoints.flatMap(({ ifUnchanged }) => ifUnchanged?.property ?? []),
  ]);
  const isSame = (key: string, value: unknown) =>
    key in args.input || key === 'id' || !(kinds.has(kind) || Array.isArray(value));
  const same = Object.entries(answer).filter(([key, value]) => isSame(key, value) && !changed.has(key));
  return Object.fromEntries(same) as Row;
}
