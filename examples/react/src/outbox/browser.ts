import type { Device } from './sender.ts';

/** The browser as a sender sees it. A Web Lock lets one tab send at a time. */
export const browser: Device = {
  isOnline: () => navigator.onLine,
  onOnline(callback) {
    addEventListener('online', callback);
    return () => removeEventListener('online', callback);
  },
  alone: (name, work) => navigator.locks.request(name, work),
};
