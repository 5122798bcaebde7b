/** Attacks in a thread of its own, so that the good client is not late because of them. */
import { parentPort, workerData } from 'node:worker_threads';
import { attack, attackers } from './attackers.ts';

export interface AttackThreadData {
  url: string;
  /** Id of a payment that takes invoices. */
  payment: string;
  /** Pattern of the names of the attackers. */
  only: string;
}

export interface AttackResult {
  name: string;
  count: number;
  never: string | undefined;
  /** The number of each outcome. */
  outcomes: Map<string, number>;
}

const { url, payment, only } = workerData as AttackThreadData;
const ending = new AbortController();
parentPort?.once('message', () => ending.abort());
const chosen = attackers.filter(({ name }) => new RegExp(only).test(name));
const target = { url, payment, signal: ending.signal };
const results: AttackResult[] = await Promise.all(
  chosen.map(async (attacker) => {
    const { name, count, never } = attacker;
    return { name, count, never, outcomes: await attack(attacker, target) };
  }),
);
parentPort?.postMessage(results);
