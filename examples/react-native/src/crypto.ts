import { randomUUID } from 'expo-crypto';

/** Import this first: Hermes, the engine of React Native, has no `crypto`. */
globalThis.crypto = { ...globalThis.crypto, randomUUID } as Crypto;
