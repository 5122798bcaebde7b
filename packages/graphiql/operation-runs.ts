import { useGraphiQL } from '@graphiql/react';
import { Observable, useObservable } from './observable.ts';
import type { UpstreamReport } from './upstream-report.ts';

/** The last operation that a tab of the editor has run. */
export interface OperationRun {
  /** Null where the operation has no name. */
  operation: string | null;
  state: 'running' | 'answered' | 'failed' | 'stopped';
  /** Milliseconds until the answer was read. */
  ms?: number;
  /** The answer on the wire, with the trace that this page asks for. Absent where the browser does not say. */
  wireBytes?: number;
  /** The answer as JSON, with that trace. */
  jsonBytes?: number;
  /** The share of the JSON that other clients get too. */
  shownShare?: number;
  /** Absent where the gateway refused the operation before it could trace it. */
  upstream?: UpstreamReport;
  /** The data of the answer, for the panels that draw it. */
  data?: unknown;
  errors: { message: string; code?: string }[];
  /** The label of the uploaded file: see upload.ts. */
  file?: string;
  idempotencyKey?: string;
}

const byTab = new Observable<ReadonlyMap<string, OperationRun>>(new Map());
let activeTab = '';

/** The bytes of the answer for other clients, compressed where the browser says so. */
export function answerBytesOf({ wireBytes, jsonBytes = 0, shownShare = 1 }: OperationRun): number {
  return Math.round((wireBytes ?? jsonBytes) * shownShare);
}

/** Sets the tab of the next run: a fetcher does not learn its tab. */
export function setActiveTab(tab: string): void {
  activeTab = tab;
}

/** Begins a run. The returned function changes that run, also after a change of tabs. */
export function begin(run: Omit<OperationRun, 'state' | 'errors'>): (change: Partial<OperationRun>) => void {
  const tab = activeTab;
  let current: OperationRun = { ...run, state: 'running', errors: [] };
  const publish = () => byTab.set(new Map(byTab.get()).set(tab, current));
  publish();
  return (change) => {
    current = { ...current, ...change };
    publish();
  };
}

/** The last run in the active tab. */
export function useLastRun(): OperationRun | undefined {
  const tab = useActiveTab();
  return useObservable(byTab).get(tab);
}

export function useActiveTab(): string {
  return useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id ?? '');
}
