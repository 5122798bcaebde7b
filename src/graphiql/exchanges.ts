import { useGraphiQL } from '@graphiql/react';
import { Observable, useObservable } from './observable.ts';
import type { UpstreamReport } from './upstream-report.ts';

/** The last operation that a tab of the editor has run. */
export interface Exchange {
  /** Name of the operation; null where it has none. */
  operation: string | null;
  state: 'running' | 'answered' | 'failed' | 'stopped';
  /** Milliseconds until the answer was read. */
  ms?: number;
  /** Absent where the gateway refused the operation before it could trace it. */
  upstream?: UpstreamReport;
  errors: { message: string; code?: string }[];
  /** What was uploaded with it: see upload.ts. */
  file?: string;
  idempotencyKey?: string;
}

const byTab = new Observable<ReadonlyMap<string, Exchange>>(new Map());
let activeTab = '';

/** A fetcher is not told which tab it runs for. */
export function follow(tab: string): void {
  activeTab = tab;
}

/** @returns what changes the exchange that it begins, whichever tab is active by then */
export function begin(exchange: Omit<Exchange, 'state' | 'errors'>): (change: Partial<Exchange>) => void {
  const tab = activeTab;
  let current: Exchange = { ...exchange, state: 'running', errors: [] };
  const keep = () => byTab.set(new Map(byTab.get()).set(tab, current));
  keep();
  return (change) => {
    current = { ...current, ...change };
    keep();
  };
}

/** The last exchange of the active tab. */
export function useExchange(): Exchange | undefined {
  const tab = useActiveTab();
  return useObservable(byTab).get(tab);
}

export function useActiveTab(): string {
  return useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id ?? '');
}
