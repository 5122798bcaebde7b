import { useSyncExternalStore } from 'react';

function subscribe(onChange: () => void) {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

/** The steps of `#/farmers/ID`. An application has its router instead. */
export function useHash(): string[] {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return hash.replace(/^#\//, '').split('/');
}
