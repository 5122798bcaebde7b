import AsyncStorageOfOldApps, { createAsyncStorage } from '@react-native-async-storage/async-storage';
import SqliteStorage from 'expo-sqlite/kv-store';
import type { Storage } from '../src/outbox/queue.ts';

/** Each of these stores a queue. The compiler checks it, against the types that the packages publish. */
export const storages: Storage[] = [createAsyncStorage('field-app'), AsyncStorageOfOldApps, SqliteStorage];

// @ts-expect-error The types of the package are there.
SqliteStorage.getItem(1);
