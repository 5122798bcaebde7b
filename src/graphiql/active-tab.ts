import { useEffect } from 'react';
import { useActiveTab } from './operation-runs.ts';

/**
 * Scrolls to the active tab. GraphiQL leaves a new one beyond the edge of a narrow window, and so does a panel that opens or
 * a longer name.
 */
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
