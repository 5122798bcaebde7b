import { decimalSum, type Json } from '@gateway/base';
import type { Contract, Reference } from '@gateway/contract';
import { idOf, referenceValue, referenceValues } from '@gateway/rest-graph';
import type { Lineage } from './declared.ts';

/** Lots in the order in which they were found: the one that was asked for, then the nearest. */
export interface Found {
  /** Rows by id. Undefined for a lot that the service does not give. */
  rows: ReadonlyMap<string, Json | undefined>;
  /** Steps from the first lot. */
  depths: ReadonlyMap<string, number>;
  /** Why lots may be missing. */
  reasons: readonly string[];
  /** The time to which a look through the list went back, in the form of the service. Null without such a bound. */
  lookedBackTo: unknown;
}

interface Lot extends Json {
  depth: number;
  parents: string[];
  children: string[];
}

/** The value of the type `Trace`. */
export interface Trace {
  lots: Lot[];
  sources: Party[];
  destinations: Party[];
  complete: boolean;
  reason: string | null;
  looked_back_to: unknown;
}

interface Party {
  entity: Json | string | null;
  lots: string[];
  quantity: string | null;
}

/** Ids of the rows that a row came from. Undefined where the row does not say. */
export function parentsOf(contract: Contract, { kind, parents }: Lineage, row: Json): string[] | undefined {
  if (row[parents] === null) return [];
  return referenceValues(row, parents, referenceOf(contract, kind, parents))?.map(idOf);
}

/** The reason why lots may be missing, where rows do not say what they came from. */
export function silentReasons(lineage: Lineage, ids: readonly string[]): string[] {
  const [first] = ids;
  if (first === undefined) return [];
  return [`The service does not say the \`${lineage.parents}\` of ${countOf(ids.length)}, such as ${first}.`];
}

export function countOf(lots: number): string {
  return lots === 1 ? '1 lot' : `${lots} lots`;
}

export function traceOf(contract: Contract, lineage: Lineage, { rows, depths, reasons, lookedBackTo }: Found): Trace {
  const lots = new Map<string, Lot>();
  for (const [id, row] of rows) {
    lots.set(id, { [lineage.row]: row ?? id, depth: depths.get(id) ?? 0, parents: [], children: [] });
  }
  const first: string[] = [];
  for (const [id, row] of rows) {
    const parents = row && parentsOf(contract, lineage, row);
    if (parents?.length === 0) first.push(id);
    for (const parent of new Set(parents)) {
      lots.get(parent)?.children.push(id);
      if (lots.has(parent)) lots.get(id)?.parents.push(parent);
    }
  }
  const last = [...lots].flatMap(([id, { children }]) => (children.length === 0 && rows.get(id) ? [id] : []));
  const reason = reasons.join(' ') || null;
  return {
    lots: [...lots.values()],
    sources: parties(first, lineage.source),
    destinations: parties(last, lineage.destination),
    complete: reason === null,
    reason,
    looked_back_to: lookedBackTo,
  };

  /** The parties of lots, each once, in the order of their first lots. */
  function parties(ids: readonly string[], field: string): Party[] {
    const reference = referenceOf(contract, lineage.kind, field);
    const found = new Map<string | null, { entity: Party['entity']; lots: string[]; quantities: unknown[] }>();
    for (const id of ids) {
      const row = rows.get(id) ?? {};
      const entity = referenceValue(row, field, reference);
      const key = entity === null ? null : idOf(entity);
      const party = found.get(key) ?? { entity, lots: [], quantities: [] };
      found.set(key, party);
      party.lots.push(id);
      party.quantities.push(row[lineage.quantity]);
    }
    return [...found.values()].map(({ quantities, ...party }) => ({
      ...party,
      quantity: decimalSum(quantities) ?? null,
    }));
  }
}

function referenceOf(contract: Contract, kind: string, field: string): Reference {
  return contract.references(kind)[field] as Reference;
}
