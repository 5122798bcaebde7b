import type { Json } from '@gateway/base';
import type { Contract } from '@gateway/contract';
import { type Loaders, timeIn } from '@gateway/rest-graph';
import type { DateTime } from '@gateway/upstream';
import { tooDeep, wholeRow } from './back.ts';
import type { Lineage } from './declared.ts';
import { type Found, parentsOf, silentReasons } from './trace.ts';

interface Way {
  lineage: Lineage;
  /** Generations to follow. */
  depth: number;
  /** The look goes back to this time. By default to the time of the first lot. */
  since?: DateTime | undefined;
  /** The field of the operation that shows the lots. */
  field: string;
}

interface Lot {
  time: number | undefined;
  /** Undefined where the row does not say. */
  parents: ReadonlySet<string> | undefined;
}

/** Each of many traces looks at the same rows. */
const lots = new WeakMap<Json, Lot>();

function lotIn(contract: Contract, lineage: Lineage, row: Json): Lot {
  const { time } = contract.endpoint(lineage.list);
  const known = lots.get(row);
  if (known) return known;
  const parents = parentsOf(contract, lineage, row);
  const lot = { time: timeIn(time, row), parents: parents && new Set(parents) };
  lots.set(row, lot);
  return lot;
}

/** The lots that came from a lot. One look through the list finds all generations, because a lot is made after its parents. */
export async function lotsAfter(start: Json & { id: string }, way: Way, loaders: Loaders): Promise<Found> {
  const { lineage, depth, since, field } = way;
  const { contract } = loaders;
  const { time } = contract.endpoint(lineage.list);
  const row = await wholeRow(start, way, loaders);
  const bound = since ? { [time as string]: since.in('unix') } : row;
  const end = timeIn(time, bound);
  const lotOf = (row: Json) => lotIn(contract, lineage, row);
  const isBefore = (other: Json) => (lotOf(other).time ?? Number.POSITIVE_INFINITY) < (end as number);
  const look = loaders.look(lineage.list);
  const seen = await look.rows(field, end === undefined ? undefined : isBefore);
  const children = new Map<string, Json[]>();
  const silent: string[] = [];
  for (const row of seen.rows) {
    const { parents } = lotOf(row);
    if (!parents && row.id !== start.id) silent.push(String(row.id));
    for (const parent of parents ?? []) {
      const others = children.get(parent);
      if (others) others.push(row);
      else children.set(parent, [row]);
    }
  }
  const rows = new Map<string, Json | undefined>([[start.id, row]]);
  const depths = new Map([[start.id, 0]]);
  let goesOn = false;
  for (let [wave, at] = [[start.id], 1]; wave.length > 0; at += 1) {
    const found = new Map(wave.flatMap((id) => children.get(id) ?? []).map((row) => [String(row.id), row]));
    const next = [...found].filter(([id]) => !rows.has(id));
    goesOn = at > depth && next.length > 0;
    if (at > depth) break;
    loaders.make(next.length);
    for (const [id, row] of next) {
      rows.set(id, row);
      depths.set(id, at);
    }
    wave = next.map(([id]) => id);
  }
  const oldest = seen.complete ? bound : seen.rows.at(-1);
  return {
    rows,
    depths,
    reasons: [
      ...(seen.reason === null ? [] : [seen.reason]),
      ...silentReasons(lineage, silent),
      ...(goesOn ? [tooDeep(depth)] : []),
    ],
    lookedBackTo: seen.isWhole ? null : (oldest?.[time as string] ?? null),
  };
}
