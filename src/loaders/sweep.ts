import { codedError } from '../errors.ts';
import type { ListOperation } from '../rest/endpoints.ts';
import { type Loader, loadTogether } from './batch.ts';
import type { IdentityMap, Known } from './identity-map.ts';
import { maxUpstreamPage, type Pages } from './pages.ts';
import type { Target } from './references.ts';

/** Kinds that the service gives only as rows of a list. */
const operations = {
  EntityCard: 'listEntityCards',
  Card: 'listCards',
  Product: 'listProducts',
  Currency: 'listCurrencies',
} as const satisfies Partial<Record<Target, ListOperation>>;

export type ListOnlyKind = keyof typeof operations;

export function isListOnly(target: Target): target is ListOnlyKind {
  return target in operations;
}

/** Pages in flight at once. */
const maxWidth = 8;

/**
 * Finds objects by reading their list until every one has been seen. It begins where other readers of the list have
 * stopped. The first page tells how long the list is; the pages after it are read in parallel, twice as many each time,
 * so that a key near the front stays cheap and one at the end is not far away.
 */
export function sweepLoader(kind: ListOnlyKind, pages: Pages, seen: IdentityMap): Loader<string, Known> {
  const operation = operations[kind];
  const isMissing = (id: string) => !seen.get(kind, id)?.complete;
  let size = maxUpstreamPage;
  let width = 1;

  /** Returns why it had to stop, if it had to. */
  const sweep = async (ids: readonly string[]): Promise<Error | undefined> => {
    let { length, count } = await pages.prefix(operation);
    while (length < count && ids.some(isMissing)) {
      const start = length;
      const offsets = Array.from({ length: width }, (_, index) => start + index * size).filter((at) => at < count);
      const answers = await Promise.allSettled(offsets.map((at) => pages.page(operation, {}, at, size)));
      const failed = answers.find((answer) => answer.status === 'rejected');
      if (failed) return failed.reason;
      ({ length, count } = await pages.prefix(operation));
      // The service may give less than was asked for; a short last page says nothing about that.
      if (length < count) size = Math.min(size, Math.ceil((length - start) / offsets.length));
      width = Math.min(width * 2, maxWidth);
    }
    return undefined;
  };

  // Batches take turns, so that a later one goes on where the one before stopped.
  let turn: Promise<Error | undefined> = Promise.resolve(undefined);
  return loadTogether(
    async (ids) => {
      turn = turn.then(() => sweep(ids));
      const failure = await turn;
      return ids.map((id) => {
        // What was found before a page failed is found all the same.
        const known = seen.get(kind, id);
        return known?.complete ? known : (failure ?? unresolved(kind, id));
      });
    },
    (id) => id,
  );
}

export function unresolved(kind: Target, id: string): Error {
  return codedError('REFERENCE_UNRESOLVED', `The service shows no ${kind} of this id to this key.`, {
    reference: { type: kind, id },
  });
}
