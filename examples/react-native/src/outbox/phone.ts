import NetInfo from '@react-native-community/netinfo';
import { AppState } from 'react-native';
import { oneByOne } from './one-by-one.ts';
import type { Device } from './sender.ts';

// A gateway in the local network needs no internet. Without this, NetInfo asks a server of Google each minute.
NetInfo.configure({ reachabilityShouldRun: () => false });

/** As long as NetInfo says nothing, a push finds out. */
let online = true;
NetInfo.addEventListener(({ isConnected }) => {
  online = isConnected !== false;
});

/** The phone as a sender sees it. */
export const phone: Device = {
  isOnline: () => online,
  /** Calls back when the user comes back to the app, too: pauses end only there. */
  onOnline(callback) {
    const ignoreNetwork = NetInfo.addEventListener(({ isConnected }) => {
      if (isConnected) callback();
    });
    const appState = AppState.addEventListener('change', (state) => {
      if (state === 'active') callback();
    });
    return () => {
      ignoreNetwork();
      appState.remove();
    };
  },
  alone: oneByOne,
};
