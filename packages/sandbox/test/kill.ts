import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The writes that a sandbox answered with success before it was killed. */
export interface Promised {
  /** Farmers by id: their names. */
  farmers: Map<string, string>;
  /** Product transactions by id: the answers. */
  transactions: Map<string, unknown>;
  /** SHA-256 by payment, of the last invoice that was answered, and of the one sent after it. */
  invoices: Map<string, { answered: string | undefined; sent: string }>;
}

export interface RunningSandbox {
  url: string;
  child: ChildProcess;
}

const headers = { authorization: 'demo-coop' };

/** `node src/main.ts sandbox` over a folder of its own. */
export async function runSandbox(folder: string): Promise<RunningSandbox> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, SANDBOX_PORT: '0', SANDBOX_DATA: folder };
  const child = spawn(process.execPath, ['src/main.ts', 'sandbox'], {
    cwd: join(import.meta.dirname, '../../..'),
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /Sandbox REST service +(\S+)/.exec(line) ?? [];
    if (url) return { url, child };
  }
  throw new Error('The sandbox has ended.');
}

export async function kill({ child }: RunningSandbox): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** Writes from many clients at once, until the sandbox is gone. */
export async function writeUntilKilled({ url }: RunningSandbox, promised: Promised): Promise<void> {
  const [transaction] = await rows(url, '/transactions/product-transactions/?limit=1');
  const payments = await rows(url, '/transactions/payment-transactions/?limit=4');
  const again = async (write: () => Promise<void>) => {
    try {
      for (;;) await write();
    } catch (error) {
      // A killed sandbox makes fetch throw a TypeError. The last write is stored, or not.
      if (!(error instanceof TypeError)) throw error;
    }
  };
  const farmer = async () => {
    const first_name = `Farmer ${randomBytes(8).toString('hex')}`;
    const { id } = await post(url, '/supply-chains/farmers/', { first_name });
    promised.farmers.set(id, first_name);
  };
  const trade = async () => {
    const { source, destination, product, currency } = transaction;
    const payment = { amount: 1.5, currency, payment_type: 'TRANSACTION' };
    const body = {
      source,
      destination,
      product,
      currency,
      quantity: '2',
      amount: '3',
      transaction_payments: [payment],
    };
    const made = await post(url, '/transactions/product-transactions/', body);
    promised.transactions.set(made.id, made);
  };
  const upload = (payment: string) => async () => {
    const content = randomBytes(100_000);
    const form = new FormData();
    form.append('invoice', new Blob([content]), 'invoice.pdf');
    const path = `/transactions/payment-transactions/${payment}/invoice/`;
    const sent = digestOf(content);
    promised.invoices.set(payment, { answered: promised.invoices.get(payment)?.answered, sent });
    const response = await fetch(url + path, { method: 'PATCH', headers, body: form });
    await response.json();
    if (response.status === 200) promised.invoices.set(payment, { answered: sent, sent });
  };
  await Promise.all([
    ...Array.from({ length: 8 }, () => again(farmer)),
    ...Array.from({ length: 4 }, () => again(trade)),
    ...payments.map(({ id }) => again(upload(id))),
  ]);
}

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON the service holds
type Json = any;

function digestOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

async function rows(url: string, path: string): Promise<Json[]> {
  return ((await (await fetch(url + path, { headers })).json()) as Json).results;
}

async function post(url: string, path: string, body: object): Promise<Json> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Json;
  if (response.status !== 201) throw new Error(`${path} was answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Sentences about writes that the store does not have as they were answered. */
export async function lostIn({ url }: { url: string }, promised: Promised): Promise<string[]> {
  const lost: string[] = [];
  const show = async (path: string): Promise<Json> => (await fetch(url + path, { headers })).json();
  for (const [id, name] of promised.farmers) {
    const { first_name } = await show(`/supply-chains/farmers/${id}/`);
    if (first_name !== name) lost.push(`farmer ${id} is ${first_name}, not ${name}`);
  }
  for (const [id, made] of promised.transactions) {
    const stored = JSON.stringify(await show(`/transactions/product-transactions/${id}/`));
    if (stored !== JSON.stringify(made)) lost.push(`transaction ${id} is ${stored}, not ${JSON.stringify(made)}`);
  }
  for (const [payment, { answered, sent }] of promised.invoices) {
    const { invoice } = await show(`/transactions/payment-transactions/${payment}/`);
    if (answered === undefined) continue;
    const digest = digestOf(Buffer.from(await (await fetch(invoice)).arrayBuffer()));
    if (digest !== answered && digest !== sent) lost.push(`the invoice of ${payment} is none that was sent`);
  }
  // A write without an answer is stored whole, or not at all.
  for (const row of await rows(url, '/transactions/product-transactions/?limit=100')) {
    if (row.transaction_payments.length === 0) lost.push(`transaction ${row.id} has no payments`);
  }
  return lost;
}
