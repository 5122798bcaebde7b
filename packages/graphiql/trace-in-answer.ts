/** A box of the graph: a lot, or somebody who gave or received lots. */
export interface Box {
  key: string;
  kind: 'lot' | 'source' | 'destination';
  title: string;
  /** Other values of the answer. */
  note: string;
  /** Steps from the lot that the trace begins at. Goods go from lower steps to higher ones. */
  step: number;
  /** Keys of the boxes that goods came from. */
  from: string[];
  /** Keys of the boxes that goods went to. */
  to: string[];
}

export interface Trace {
  boxes: Box[];
  /** Why lots may be missing. */
  reason: string | undefined;
}

type Json = Record<string, unknown>;

interface Lot extends Json {
  depth: number;
  parents: string[];
  children: string[];
}

/** The first trace of an answer: an object whose `lots` have `depth`, `parents`, `children` and an id. */
export function traceIn(answer: unknown): Trace | undefined {
  if (!isJson(answer)) return undefined;
  const { lots } = answer;
  if (Array.isArray(lots) && lots.length > 0 && lots.every(isLot)) return traceOf(answer, lots);
  for (const below of Object.values(answer)) {
    const found = traceIn(below);
    if (found) return found;
  }
  return undefined;
}

function isLot(value: unknown): value is Lot {
  if (!isJson(value) || idOf(value) === undefined) return false;
  const { depth, parents, children } = value;
  return typeof depth === 'number' && Array.isArray(parents) && Array.isArray(children);
}

function traceOf({ sources, destinations, complete, reason }: Json, lots: readonly Lot[]): Trace {
  const depths = new Map(lots.map((lot) => [idOf(lot), lot.depth]));
  // The parents of an origin are deeper than their children.
  const isOrigin = lots.some(({ depth, parents }) => parents.some((id) => (depths.get(id) ?? 0) > depth));
  const boxes = new Map<string, Box>();
  for (const lot of lots) {
    const { depth, parents, children } = lot;
    const step = isOrigin ? 0 - depth : depth;
    addBox(lot, { key: String(idOf(lot)), kind: 'lot', step, from: [...parents], to: [...children] });
  }
  const steps = [...boxes.values()].map(({ step }) => step);
  addParties('source', sources, Math.min(...steps) - 1);
  addParties('destination', destinations, Math.max(...steps) + 1);
  const isShown = (key: string) => boxes.has(key);
  // A trace that is cut has ids of lots that it does not show.
  const shown = [...boxes.values()].map((box) => ({
    ...box,
    from: box.from.filter(isShown),
    to: box.to.filter(isShown),
  }));
  return { boxes: shown, reason: complete === false ? String(reason ?? '') : undefined };

  function addBox(row: Json, box: Pick<Box, 'key' | 'kind' | 'step' | 'from' | 'to'>): void {
    const { id = idOf(row), number, name, ...others } = objectOf(row) ?? {};
    const title = [name, number, id].find((text) => typeof text === 'string');
    boxes.set(box.key, {
      ...box,
      title: String(title),
      note: noteOf({ ...others, quantity: row.quantity ?? others.quantity }),
    });
  }

  function addParties(kind: 'source' | 'destination', parties: unknown, step: number): void {
    for (const party of Array.isArray(parties) ? parties : []) {
      const id = isJson(party) ? idOf(party) : undefined;
      if (id === undefined || !Array.isArray(party.lots)) continue;
      const key = `${kind} ${id}`;
      const own: string[] = party.lots.filter((lot: string) => boxes.get(lot)?.kind === 'lot');
      addBox(party, { key, kind, step, from: kind === 'source' ? [] : own, to: kind === 'source' ? own : [] });
      for (const lot of own) boxes.get(lot)?.[kind === 'source' ? 'from' : 'to'].push(key);
    }
  }
}

/** The id beside the object of a row, or that of the object. */
function idOf(row: Json): string | undefined {
  const beside = Object.entries(row).find(([key, value]) => key.endsWith('_id') && typeof value === 'string')?.[1];
  const id = beside ?? objectOf(row)?.id;
  return typeof id === 'string' ? id : undefined;
}

/** The object that a row is about. */
function objectOf(row: Json): Json | undefined {
  return Object.values(row).find((value): value is Json => isJson(value) && !Array.isArray(value));
}

/** Names and values, in the order of the operation. */
function noteOf(object: Json): string {
  const texts = Object.values(object).map((value) => (isJson(value) ? value.name : value));
  return texts.filter((text) => typeof text === 'string' || typeof text === 'number').join(' · ');
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
