import { setTimeout as pause } from 'node:timers/promises';
import type { Faults } from '../support/fault-proxy.ts';
import type { Row } from '../support/rest-reads.ts';

const createFarmer = 'mutation ($input: CreateFarmerInput!) { createFarmer(input: $input) { id } }';

/** A mutation, and its outcome as the client knows it. */
export interface Sent {
  /** The name of the farmer, unique among the mutations. */
  name: string;
  hasKey: boolean;
  /** The id of the farmer, if an answer gave it. */
  id?: string;
  /** The code of the last error; absent with an id, or after the client has left. */
  code?: string;
}

export interface Storm {
  url: string;
  count: number;
  concurrency: number;
  /** Between 0 and 1. */
  random: () => number;
  /** The start of each name. */
  prefix?: string;
}

/** Gives each connection to the service its own faults, or none. */
export function weather(random: () => number): (connection: number) => Faults {
  const byConnection = new Map<number, Faults>();
  const upTo = (bytes: number) => Math.floor(random() * bytes);
  const kinds: (() => Faults)[] = [
    () => ({}),
    () => ({}),
    () => ({ request: { latency: upTo(20) }, answer: { latency: upTo(20) } }),
    () => ({ request: { resetAfter: upTo(3_000) } }),
    () => ({ request: { endAfter: upTo(3_000) } }),
    () => ({ request: { stallAfter: upTo(3_000) } }),
    () => ({ answer: { resetAfter: upTo(3_000) } }),
    () => ({ answer: { endAfter: upTo(3_000) } }),
    () => ({ answer: { stallAfter: upTo(3_000) } }),
  ];
  return (connection) => {
    let faults = byConnection.get(connection);
    if (!faults) {
      faults = kinds[upTo(kinds.length)]!();
      byConnection.set(connection, faults);
    }
    return faults;
  };
}

/**
 * Sends mutations over connections that fail. One of five has no Idempotency-Key, and is sent once. The others are sent
 * until their answer is final. Some of these are sent twice at once, and some clients leave before the answer.
 */
export async function sendStorm({ url, count, concurrency, random, prefix = 'Storm' }: Storm): Promise<Sent[]> {
  const sent: Sent[] = [];
  let next = 0;
  const client = async () => {
    while (next < count) {
      const number = next++;
      sent.push(await sendOne({ name: `${prefix} ${number}`, hasKey: number % 5 !== 0 }));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return sent;

  async function sendOne(mutation: Sent): Promise<Sent> {
    if (!mutation.hasKey) return ask(mutation);
    for (;;) {
      const twins = random() < 0.1 ? [ask(mutation), ask(mutation)] : [ask(mutation)];
      const final = (await Promise.all(twins)).find(({ id, code }) => id !== undefined || isFinal(code));
      if (final) return final;
      await pause(5 + random() * 50);
    }
  }

  async function ask({ name, hasKey }: Sent): Promise<Sent> {
    const headers = {
      'content-type': 'application/json',
      authorization: 'demo-coop',
      ...(hasKey && { 'idempotency-key': name }),
    };
    const body = JSON.stringify({ query: createFarmer, variables: { input: { first_name: name } } });
    const leaving = random() < 0.1 ? AbortSignal.timeout(Math.ceil(random() * 20)) : undefined;
    try {
      const response = await fetch(url, { method: 'POST', headers, body, ...(leaving && { signal: leaving }) });
      const { data, errors } = (await response.json()) as Answer;
      if (data?.createFarmer) return { name, hasKey, id: data.createFarmer.id };
      return { name, hasKey, code: errors?.[0]?.extensions.code ?? 'none' };
    } catch {
      // The client has left, or the gateway has stopped.
      return { name, hasKey };
    }
  }
}

interface Answer {
  data?: { createFarmer: { id: string } | null };
  errors?: { extensions: { code: string } }[];
}

function isFinal(code: string | undefined): boolean {
  return (
    code !== undefined && !['UPSTREAM_UNAVAILABLE', 'RATE_LIMITED', 'UPSTREAM_TIMEOUT', 'OVERLOADED'].includes(code)
  );
}

/** Sentences about farmers that exist twice and about wrong answers; empty if all is right. */
export function wrongIn(sent: readonly Sent[], stored: readonly Row[]): string[] {
  const ids = Map.groupBy(stored, ({ first_name }) => first_name);
  return sent.flatMap(({ name, id, code }) => {
    const found = (ids.get(name) ?? []).map((row) => row.id);
    if (found.length > 1) return `${name} was written ${found.length} times`;
    if (id !== undefined && found[0] !== id)
      return `${name} was answered with ${id}, and is ${found[0] ?? 'not there'}`;
    if (code !== undefined && code !== 'OUTCOME_UNKNOWN' && found.length > 0)
      return `${name} is there in spite of ${code}`;
    return [];
  });
}
