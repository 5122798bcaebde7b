import { useEffect } from 'react';
import { useActiveTab } from './operation-runs.ts';

/** Scrolls to the active tab. GraphiQL leaves a new one beyond the edge of a narrow window. */
export function ActiveTabInSight() {
  const tab = useActiveTab();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab becomes the active one
  useEffect(() => {
    document.querySelector('.graphiql-tab-active')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  return null;
}
