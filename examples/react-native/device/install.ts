import { BlobModule, FileReaderModule } from './blobs.ts';
import { RNCNetInfo } from './network-state.ts';
import { networkingOf } from './networking.ts';
import { RNAsyncStorage } from './storage.ts';

/** In the place of the native modules that the preset has mocked. */
const native: Record<string, object> = {
  Networking: networkingOf(require('react-native').Platform.OS),
  BlobModule,
  FileReaderModule,
  RNCNetInfo,
  RNAsyncStorage,
};
const modules = require('react-native').NativeModules;
Object.assign(modules, native);

// Hermes has none of these. React Native brings most of them.
for (const name of [
  'AbortController',
  'AbortSignal',
  'Blob',
  'File',
  'FormData',
  'Headers',
  'Request',
  'Response',
  'URL',
  'URLSearchParams',
  'crypto',
  'fetch',
]) {
  Reflect.deleteProperty(globalThis, name);
}
require('react-native/Libraries/Core/setUpXHR');
// Jest reads all globals after a file too. A first read at that time would hide the error of the file.
void globalThis.FileReader;
