/** A box of the graph: a lot, or an entity that lots come from. */
export interface Box {
  key: string;
  title: string;
  /** Other values of the answer. */
  note: string;
  /** Steps from the lot that the trace begins at. */
  depth: number;
  /** Keys of the boxes that goods came from. */
  from: string[];
  /** Keys of the boxes that goods went to. */
  to: string[];
}

export interface Trace {
  boxes: Box[];
  /** The boxes of sources among them. */
  sources: ReadonlySet<string>;
  /** Why lots may be missing. */
  reason: string | undefined;
}

type Json = Record<string, unknown>;

/** The first trace of an answer: an object whose `lots` have `depth`, `parents` and `children`. */
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

interface Lot extends Json {
  transaction: Json & { id: string };
  depth: number;
  parents: string[];
  children: string[];
}

function isLot(value: unknown): value is Lot {
  if (!isJson(value) || !isJson(value.transaction)) return false;
  const { transaction, depth, parents, children } = value;
  return (
    typeof transaction.id === 'string' && typeof depth === 'number' && Array.isArray(parents) && Array.isArray(children)
  );
}

function traceOf({ sources = [], complete, reason }: Json, lots: readonly Lot[]): Trace {
  const boxes = new Map<string, Box>();
  for (const { transaction, depth, parents, children } of lots) {
    const { id, number, ...others } = transaction;
    const title = typeof number === 'string' ? number : id;
    boxes.set(id, { key: id, title, note: noteOf(others), depth, from: [...parents], to: [...children] });
  }
  const ofSources = new Set<string>();
  for (const source of Array.isArray(sources) ? sources : []) {
    const { entity, lots: ids, quantity } = isJson(source) ? source : {};
    if (!isJson(entity) || typeof entity.id !== 'string' || !Array.isArray(ids)) continue;
    const { id, name } = entity;
    const key = `source ${id}`;
    const own = ids.filter((lot) => boxes.has(lot));
    const depth = 1 + Math.max(0, ...own.map((lot) => boxes.get(lot)?.depth ?? 0));
    const title = typeof name === 'string' ? name : id;
    boxes.set(key, { key, title, note: typeof quantity === 'string' ? quantity : '', depth, from: [], to: own });
    for (const lot of own) boxes.get(lot)?.from.push(key);
    ofSources.add(key);
  }
  // A trace that is cut has ids of lots that it does not show.
  const shown = [...boxes.values()].map((box) => {
    const isShown = (key: string) => boxes.has(key);
    return { ...box, from: box.from.filter(isShown), to: box.to.filter(isShown) };
  });
  return { boxes: shown, sources: ofSources, reason: complete === false ? String(reason ?? '') : undefined };
}

/** Names and values, in the order of the operation. */
function noteOf(object: Json): string {
  const texts = Object.values(object).map((value) => (isJson(value) ? value.name : value));
  return texts.filter((text) => typeof text === 'string' || typeof text === 'number').join(' · ');
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
