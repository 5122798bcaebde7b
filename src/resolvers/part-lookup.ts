import type { RequestContext } from '../graphql/context.ts';
import { UpstreamError, type UpstreamErrorCode } from '../upstream/errors.ts';

/** Reads something that may show the object. */
export type Source = () => Promise<unknown>;

/** Ends of a source that say nothing about the others. */
const skipped: ReadonlySet<UpstreamErrorCode> = new Set([
  'NOT_FOUND',
  'FORBIDDEN',
  'UPSTREAM_ERROR',
  'UPSTREAM_INVALID_RESPONSE',
]);

/**
 * The names of the parts of an object. Earlier answers to this caller give them, or the first source that shows the object.
 * A part may be newer than earlier answers, so that only a source can say that the object lacks it. Undefined where no
 * source shows the object.
 */
export async function partsOf(
  { service, caller }: RequestContext,
  table: 'Premium' | 'Form',
  id: string,
  { part, sources }: { part: string; sources: readonly Source[] },
): Promise<ReadonlySet<string> | undefined> {
  const known = () => service.parts.get(caller.digest, table, id);
  const before = known();
  if (before?.has(part)) return before;
  for (const read of sources) {
    try {
      service.parts.learn(caller.digest, await read());
    } catch (error) {
      if (!(error instanceof UpstreamError && skipped.has(error.code))) throw error;
    }
    if (known() !== before) break;
  }
  return known();
}

/** The parties of a transaction that may be companies. A company shows its premiums and forms. */
export function companiesOf(
  { loaders }: RequestContext,
  field: string,
  ...ids: (string | null | undefined)[]
): Source[] {
  return ids
    .filter((id) => id != null && loaders.seen.kindOf(id) !== 'Farmer')
    .map((id) => async () => (await loaders.load('Company', id as string, field)).data);
}
