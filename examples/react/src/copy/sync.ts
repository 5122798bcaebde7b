import type { Failure } from '../failure.ts';

// The rules of a sync, without input or output. `service.ts` asks the gateway, and `copy.ts` has the rows on the device.

/** A row on the device, as the list of the service gives it. */
export interface Row {
  id: string;
  /** Null where the service does not mark deleted rows. */
  is_deleted?: boolean | null;
}

/** A page of the rows that have changed. */
export interface ChangesPage<R extends Row> {
  /** Absent where the gateway refuses the question as a whole. */
  rows?: readonly R[];
  next: string | null;
  serverTime: string;
  failures: readonly Failure[];
}

export interface IdsPage {
  ids: readonly string[];
  next: string | null;
  failures: readonly Failure[];
}

export interface Service<R extends Row> {
  /** `deleted`: rows that are deleted too. */
  changes(asked: { after: string | null; since: string | null; deleted: boolean }): Promise<ChangesPage<R>>;
  /** Rows that the service has. */
  count(): Promise<{ count?: number; failures: readonly Failure[] }>;
  ids(after: string | null): Promise<IdsPage>;
}

/** How far a copy is. */
export interface Progress {
  /** The next sync asks for changes since this time of the service. Absent before the first sync has ended. */
  since?: string;
  /** A sync that has begun: the place after its last page, the time at its first, and its filter. */
  begun?: { after: string; at: string; deleted: boolean };
  /** Rows that the service counts and the copy lacks, after the last look at all ids. */
  unseen: number;
}

/** The rows on the device. Each change is one transaction. */
export interface Copy<R extends Row> {
  progress(): Promise<Progress>;
  ids(): Promise<readonly string[]>;
  change(change: { put?: readonly R[]; remove?: readonly string[]; progress: Progress }): Promise<void>;
}

/** Why a sync has stopped. The next one goes on where it was. */
export class SyncError extends Error {
  readonly failures: readonly Failure[];

  constructor(failures: readonly Failure[]) {
    super(`The sync has stopped: ${failures.map(({ code }) => code).join(', ') || 'no data'}`);
    this.failures = failures;
  }
}

/** Makes the copy as the service is: changed and new rows come, and deleted ones go. */
export async function sync<R extends Row>(service: Service<R>, copy: Copy<R>): Promise<void> {
  const marksDeleted = await readChanges(service, copy);
  if (!marksDeleted) await dropMissing(service, copy);
}

/** Reads what has changed since the last sync. Returns whether the service says what it has deleted. */
async function readChanges<R extends Row>(service: Service<R>, copy: Copy<R>): Promise<boolean> {
  let progress = await copy.progress();
  let deleted = progress.begun?.deleted ?? true;
  for (;;) {
    const { since = null, begun } = progress;
    const page = await service.changes({ after: begun?.after ?? null, since, deleted });
    if (deleted && isRefused(page.failures)) {
      deleted = false;
      continue;
    }
    const failures = page.failures.filter((failure) => !isOfRow(failure));
    if (!page.rows || failures.length > 0) {
      // The rows have moved too much to go on after the last page.
      if (begun && failures.some(({ code }) => startAgain.has(code))) {
        await copy.change({ progress: withoutBegun(progress) });
      }
      throw new SyncError(failures);
    }
    const at = begun?.at ?? page.serverTime;
    progress = page.next
      ? { ...progress, begun: { after: page.next, at, deleted } }
      : { unseen: progress.unseen, since: at };
    const gone = page.rows.filter(({ is_deleted }) => is_deleted).map(({ id }) => id);
    await copy.change({ put: page.rows.filter(({ is_deleted }) => !is_deleted), remove: gone, progress });
    if (!page.next) return deleted;
  }
}

/** Compares the counts, and where they differ all ids. Drops rows that the service has no more. */
async function dropMissing<R extends Row>(service: Service<R>, copy: Copy<R>): Promise<void> {
  const { count, failures } = await service.count();
  if (count === undefined) throw new SyncError(failures);
  const known = await copy.ids();
  const progress = await copy.progress();
  if (count - progress.unseen === known.length) return;

  const { ids, isWhole } = await readIds(service);
  const gone = isWhole ? known.filter((id) => !ids.has(id)) : [];
  await copy.change({ remove: gone, progress: { ...progress, unseen: count - known.length + gone.length } });

  // Rows that came meanwhile are among the changes. Others have become visible without a change.
  const mine = new Set(known);
  if (![...ids].some((id) => !mine.has(id))) return;
  await readChanges(service, copy);
  const now = new Set(await copy.ids());
  if ([...ids].some((id) => !now.has(id))) await readEverything(service, copy);
  await copy.change({ progress: { ...(await copy.progress()), unseen: count - (await copy.ids()).length } });
}

/** All ids of the service. Where a page has errors, rows may be missing that are not gone. */
async function readIds<R extends Row>(service: Service<R>): Promise<{ ids: Set<string>; isWhole: boolean }> {
  const ids = new Set<string>();
  let isWhole = true;
  for (let after: string | null = null; ; ) {
    const page: IdsPage = await service.ids(after);
    for (const id of page.ids) ids.add(id);
    // Rows that have not come in time come after `next`.
    isWhole &&= page.failures.every((failure) => isOfRow(failure) && failure.code === 'UPSTREAM_TIMEOUT');
    if (!page.next) return { ids, isWhole };
    after = page.next;
  }
}

/** Reads the list from its start, as the first sync did. Rows stay readable meanwhile. */
async function readEverything<R extends Row>(service: Service<R>, copy: Copy<R>): Promise<void> {
  const { unseen } = await copy.progress();
  await copy.change({ progress: { unseen } });
  await readChanges(service, copy);
}

/** The rows are right, and lack one that the service fails on, or those that have not come in time. */
function isOfRow({ code, path }: Failure): boolean {
  return path.length > 1 && (code === 'UPSTREAM_ERROR' || code === 'UPSTREAM_TIMEOUT');
}

function isRefused(failures: readonly Failure[]): boolean {
  return failures.some(
    ({ code, fields = [] }) => code === 'BAD_USER_INPUT' && fields.some(({ path }) => path[0] === 'reverse_sync'),
  );
}

/** A cursor that the gateway cannot go on after. */
const startAgain: ReadonlySet<string> = new Set(['UPSTREAM_INVALID_RESPONSE', 'BAD_USER_INPUT']);

function withoutBegun({ begun: _begun, ...progress }: Progress): Progress {
  return progress;
}
