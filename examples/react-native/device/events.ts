/** Gives JavaScript an event of a native module. */
export function emit(event: string, argument: unknown): void {
  // React Native is loaded after the native modules.
  require('react-native').DeviceEventEmitter.emit(event, argument);
}
