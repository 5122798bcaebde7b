import { type Gateway, type GraphError, mistakesOf } from './gateway.ts';
import { type Known, sameAs } from './known-farmers.ts';
import type { Row } from './rows.ts';

/** Rows of one request, whose documents have limits. */
const batchRows = 20;

/** Gives each row that is not to be written its `reason`. Returns what a person should look at. Writes nothing. */
export async function checkRows(
  rows: Row[],
  known: Known,
  gateway: Gateway,
  onChecked: (rows: number, all: number) => void,
) {
  const keys = new Map<string, number>();
  const warnings: string[] = [];
  const places = new Map<string, number>();
  for (const row of rows) {
    const same = keys.get(row.key);
    if (same !== undefined) row.reason = `The same as row ${same}.`;
    keys.set(row.key, same ?? row.number);
    const { there, isWhole = false, namesake } = sameAs(row.input, known);
    if (isWhole && !row.reason) row.isThere = true;
    else row.reason ??= there ? `Is there already: ${there}.` : misplaced(row.input);
    if (row.reason || row.isThere) continue;
    if (namesake) warnings.push(`Row ${row.number} has the name of ${namesake}.`);
    const place = [row.input.province, row.input.country].filter(Boolean).join(', ');
    if (place && !known.places.has(place.toLowerCase())) places.set(place, (places.get(place) ?? 0) + 1);
  }
  for (const [place, count] of places) warnings.push(`No farmer is in ${place} yet; rows there: ${count}.`);
  const unchecked = rows.filter(({ reason, isThere }) => reason === undefined && !isThere);
  for (let at = 0; at < unchecked.length; at += batchRows) {
    const batch = unchecked.slice(at, at + batchRows);
    const mistakes = await mistakesIn(batch, gateway);
    // A value that does not fit its type refuses the whole request.
    const isWhole = mistakes.some(({ path }) => path === undefined);
    for (const [index, row] of batch.entries()) {
      const own = isWhole ? await mistakesIn([row], gateway) : mistakes.filter(({ path }) => path?.[0] === `r${index}`);
      row.reason = reasonOf(own);
    }
    onChecked(Math.min(at + batchRows, unchecked.length), unchecked.length);
  }
  return warnings;
}

/** The service takes any number. */
function misplaced({ latitude, longitude }: Record<string, unknown>): string | undefined {
  if (Math.abs(Number(latitude ?? 0)) > 90) return `latitude: ${latitude} is beyond 90 degrees.`;
  if (Math.abs(Number(longitude ?? 0)) > 180) return `longitude: ${longitude} is beyond 180 degrees.`;
  return undefined;
}

function mistakesIn(rows: readonly Row[], gateway: Gateway): Promise<GraphError[]> {
  const names = rows.map((_, index) => `r${index}`);
  const query = `mutation Check(${names.map((name) => `$${name}: CreateFarmerInput!`)}) {
    ${names.map((name) => `${name}: createFarmer(input: $${name}) { id }`).join('\n')}
  }`;
  return mistakesOf(gateway, query, Object.fromEntries(rows.map(({ input }, index) => [names[index], input])));
}

/** Without the name of the variable, and without words of GraphQL for an empty cell. */
function inPlainWords(problem: string): string {
  return problem
    .replace(/^\$\S+: /, '')
    .replace(/^Field "\w+" of required type .* was not provided\.$/, 'The cell is empty.');
}

/** The fields that are wrong, by their column. */
export function reasonOf(
  errors: readonly { message: string; extensions?: object; fields?: object }[],
): string | undefined {
  const reasons = errors.flatMap(({ message, ...error }) => {
    const { fields = [] } = (error.extensions ?? error) as { fields?: { path: string[]; message: string }[] };
    return fields.length > 0
      ? fields.map(({ path, message: problem }) => `${path.at(-1)}: ${inPlainWords(problem)}`)
      : [message];
  });
  return reasons.length > 0 ? reasons.join(' ') : undefined;
}
