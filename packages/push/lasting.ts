import { isObject, type Json } from '@gateway/base';
import type { Contract, Kind, Target } from '@gateway/contract';
import type { Row } from '@gateway/rest-graph';
import type { WriteArgs } from './plan.ts';

/**
 * The part of a write's answer that still holds after later writes, which name the object in their input. They have made
 * objects of `kinds`, and may have changed fields of these kinds. They may also have changed lists, and the time of the
 * last change. A write of the object's own kind may change values that the service computes, such as a stock.
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
    ...timesOfChange(contract, kind),
  ]);
  const isSame = (key: string, value: unknown) =>
    key in args.input || key === 'id' || !(kinds.has(kind) || Array.isArray(value));
  const same = Object.entries(answer).filter(([key, value]) => isSame(key, value) && !changed.has(key));
  return Object.fromEntries(same) as Row;
}

/**
 * The answer without the states of the object. A later write has changed them, such as `is_active` of a card that goes on to
 * another holder.
 */
export function withoutStates(contract: Contract, { kind, answer }: { kind: Kind; answer: Row }): Row {
  const times = timesOfChange(contract, kind);
  const same = Object.entries(answer).filter(([key, value]) => typeof value !== 'boolean' && !times.includes(key));
  return Object.fromEntries(same) as Row;
}

/** The times that updates and clients with a copy compare. */
function timesOfChange(contract: Contract, kind: Kind): string[] {
  const own = Object.values(contract.data.endpoints).filter((endpoint) => endpoint.kind === kind);
  return own.flatMap(({ ifUnchanged, filterChecks = {}, time }) => {
    const since = Object.values(filterChecks).flatMap(({ compares, shownBy }) => (compares === 'after' ? shownBy : []));
    return [...since.filter((property) => property !== time), ...(ifUnchanged?.property ? [ifUnchanged.property] : [])];
  });
}

/** The answer, and the objects inside it, with ids in place of those that writes of the push have changed. */
export function withChangedIds(
  contract: Contract,
  { type, answer }: { type: string; answer: Json },
  isChanged: (target: Target, id: unknown) => boolean,
): Json {
  const row = { ...answer };
  const change = (key: string, to: (value: Json) => unknown) => {
    const changed = (value: unknown) => (isObject(value) ? to(value) : value);
    if (key in row) row[key] = Array.isArray(row[key]) ? row[key].map(changed) : changed(row[key]);
  };
  const inside = (of: string) => (value: Json) => withChangedIds(contract, { type: of, answer: value }, isChanged);
  const { references, embedded } = contract.tables(type);
  for (const { field, reference } of references) {
    const { to, details = field } = reference;
    for (const key of new Set([field, details]))
      change(key, (value) => (isChanged(to, value.id) ? value.id : inside(to)(value)));
    // Some services send the object alone.
    if (typeof row[details] === 'string') row[field] ??= row[details];
  }
  for (const { key, type: of } of embedded) change(key, inside(of));
  return row;
}
