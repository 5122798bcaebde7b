import { type Json, UpstreamError } from '@gateway/base';
import type { Loaders } from '@gateway/rest-graph';
import type { Lineage } from './declared.ts';
import { countOf, type Found, parentsOf, silentReasons } from './trace.ts';

interface Way {
  lineage: Lineage;
  /** Generations to follow. */
  depth: number;
  /** The field of the operation that shows the lots. */
  field: string;
}

/**
 * The row of the lot that was asked for, with all that a trace needs of it.
 * @throws the error of its load.
 */
export async function wholeRow(row: Json & { id: string }, { lineage, field }: Way, loaders: Loaders): Promise<Json> {
  const { kind, parents, source, destination, quantity } = lineage;
  if ([parents, source, destination, quantity].every((property) => property in row)) return row;
  return (await loaders.load(kind, row.id, field)).data;
}

/** The lots that a lot came from. Those of a generation load together, each once. */
export async function lotsBefore(start: Json & { id: string }, way: Way, loaders: Loaders): Promise<Found> {
  const { lineage, depth, field } = way;
  const rows = new Map<string, Json | undefined>([[start.id, await wholeRow(start, way, loaders)]]);
  const depths = new Map([[start.id, 0]]);
  const failures = new Map<string, unknown>();
  const silent: string[] = [];
  const load = async (id: string) => {
    const known = loaders.seen.get(lineage.kind, id);
    if (known?.complete) return rows.set(id, known.data);
    try {
      return rows.set(id, (await loaders.load(lineage.kind, id, field)).data);
    } catch (error) {
      return failures.set(id, error);
    }
  };
  let goesOn = false;
  for (let [wave, at] = [[start.id], 1]; wave.length > 0; at += 1) {
    const parents = wave.flatMap((id) => {
      const row = rows.get(id);
      const known = row && parentsOf(loaders.contract, lineage, row);
      if (row && !known) silent.push(id);
      return known ?? [];
    });
    const next = [...new Set(parents)].filter((id) => !rows.has(id));
    goesOn = at > depth && next.length > 0;
    if (at > depth) break;
    loaders.make(next.length);
    await loaders.work.before(next.length);
    // The places of the lots are those of their first mention, whenever their rows come.
    for (const id of next) {
      rows.set(id, undefined);
      depths.set(id, at);
    }
    await Promise.all(next.map(load));
    wave = next;
  }
  return {
    rows,
    depths,
    reasons: [...reasonsOf(failures), ...silentReasons(lineage, silent), ...(goesOn ? [tooDeep(depth)] : [])],
    lookedBackTo: null,
  };
}

export function tooDeep(depth: number): string {
  return `More lots follow behind depth ${depth}. Ask for a larger \`depth\`.`;
}

function reasonsOf(failures: ReadonlyMap<string, unknown>): string[] {
  const isHidden = (error: unknown) =>
    error instanceof UpstreamError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN');
  const hidden = [...failures].filter(([, error]) => isHidden(error));
  const failed = [...failures].filter(([, error]) => !isHidden(error));
  const [[lost] = []] = hidden;
  const [[unread, error] = []] = failed;
  return [
    ...(lost === undefined ? [] : [`The service does not show ${countOf(hidden.length)}, such as ${lost}.`]),
    ...(unread === undefined
      ? []
      : [`The gateway could not read ${countOf(failed.length)}, such as ${unread}: ${(error as Error).message}`]),
  ];
}
