import { createHash, randomUUID as uuid } from 'node:crypto';

/** `expo-crypto` */
export const CryptoDigestAlgorithm = { SHA256: 'SHA-256' };
export const digestStringAsync = async (_algorithm: string, text: string) =>
  createHash('sha256').update(text).digest('hex');
export const randomUUID = () => uuid();

const defined = new Map<string, () => Promise<unknown>>();
const registered = new Set<string>();

/** `expo-task-manager` */
export const defineTask = (name: string, task: () => Promise<unknown>) => void defined.set(name, task);

/** `expo-background-task` */
export const BackgroundTaskResult = { Success: 1, Failed: 2 };
export const registerTaskAsync = async (name: string) => void registered.add(name);

/** The system runs what the app has registered. */
export const runTasks = () => Promise.all([...registered].map((name) => defined.get(name)?.()));
