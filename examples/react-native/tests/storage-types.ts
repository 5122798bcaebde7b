import AsyncStorage, { createAsyncStorage } from '@react-native-async-storage/async-storage';
import AsyncStorage2 from 'async-storage-2';
import SqliteStorage from 'expo-sqlite/kv-store';
import type { Storage } from '../src/outbox/queue.ts';

/** Each of these stores a queue. The compiler checks it, against the types that the packages publish. */
export const storages: Storage[] = [AsyncStorage2, AsyncStorage, createAsyncStorage('field-app'), SqliteStorage];

// @ts-expect-error The types of the package are there.
AsyncStorage2.getItem(1);
// @ts-expect-error The types of the package are there.
SqliteStorage.getItem(1);
