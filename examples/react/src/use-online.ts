import { useSyncExternalStore } from 'react';

function subscribe(onChange: () => void) {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}

/** False if the device certainly has no network. */
export const useOnline = () => useSyncExternalStore(subscribe, () => navigator.onLine);
