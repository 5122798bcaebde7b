import { emit } from './events.ts';

let isConnected = true;

const state = () => ({ type: isConnected ? 'cellular' : 'none', isConnected, details: null });

export function switchNetwork(on: boolean): void {
  isConnected = on;
  emit('netInfo.networkStatusDidChange', state());
}

export const RNCNetInfo = {
  configure() {},
  getCurrentState: async () => state(),
  addListener() {},
  removeListeners() {},
};
