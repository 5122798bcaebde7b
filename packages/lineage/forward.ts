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
  row: Json;
  /** The index of the row. */
  at: number;
}

/** The rows of a look by their parents, in the order of the list. */
interface Offspring {
  children: ReadonlyMap<string, readonly Lot[]>;
  /** Rows that do not say what they came from. */
  silent: readonly Lot[];
}

/** Many traces ask the same rows. */
const offspring = new WeakMap<readonly Json[], Offspring>();

function offspringIn(rows: readonly Json[], contract: Contract, lineage: Lineage): Offspring {
  const known = offspring.get(rows);
  if (known) return known;
  const children = new Map<string, Lot[]>();
  const silent: Lot[] = [];
  for (const [at, row] of rows.entries()) {
    const parents = parentsOf(contract, lineage, row);
    if (!parents) silent.push({ row, at });
    for (const parent of new Set(parents)) {
      const others = children.get(parent);
      if (others) others.push({ row, at });
      else children.set(parent, [{ row, at }]);
    }
  }
  offspring.set(rows, { children, silent });
  return { children, silent };
}

/** The lots that came from a lot. One look through the list finds all generations, because a lot is made after its parents. */
export async function lotsAfter(start: Json & { id: string }, way: Way, loaders: Loaders): Promise<Found> {
  const { lineage, depth, since, field } = way;
  const { contract } = loaders;
  const { time } = contract.endpoint(lineage.list);
  const row = await wholeRow(start, way, loaders);
  const bound = since ? { [time as string]: since.in('unix') } : row;
  const end = timeIn(time, bound);
  const seen = await loaders.look(lineage.list).rows(field, end);
  const { children, silent } = offspringIn(seen.all, contract, lineage);
  const isSeen = ({ at }: Lot) => at < seen.rows.length;
  const rows = new Map<string, Json | undefined>([[start.id, row]]);
  const depths = new Map([[start.id, 0]]);
  let goesOn = false;
  for (let [wave, at] = [[start.id], 1]; wave.length > 0; at += 1) {
    const lots = wave.flatMap((id) => children.get(id)?.filter(isSeen) ?? []);
    const found = new Map(lots.map(({ row }) => [String(row.id), row]));
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
  await loaders.work.before(rows.size);
  const unsaid = silent.flatMap((lot) => (isSeen(lot) && lot.row.id !== start.id ? String(lot.row.id) : []));
  const oldest = seen.complete ? bound : seen.rows.at(-1);
  return {
    rows,
    depths,
    reasons: [
      ...(seen.reason === null ? [] : [seen.reason]),
      ...silentReasons(lineage, unsaid),
      ...(goesOn ? [tooDeep(depth)] : []),
    ],
    lookedBackTo: seen.isWhole ? null : (oldest?.[time as string] ?? null),
  };
}
