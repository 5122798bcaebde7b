import { useEffect } from 'react';
import { useActiveTab } from './operation-runs.ts';

/** Scrolls to the active tab, which a new tab, a longer name or an open panel pushes beyond the edge. */
export function ActiveTabInSight() {
  const tab = useActiveTab();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab becomes the active one
  useEffect(() => {
    const active = document.querySelector('.graphiql-tab-active');
    if (!active?.parentElement) return;
    const observer = new ResizeObserver(() => active.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
    observer.observe(active);
    observer.observe(active.parentElement);
    return () => observer.disconnect();
  }, [tab]);
  return null;
}
