import { freePort } from '../../test/support/free-port.ts';
import { documentFor } from './operations.ts';
import type { Peer } from './peers.ts';
import { hasEnded, start, stop, until } from './processes.ts';

export interface RunningStub {
  /** The UPSTREAM_URL of a peer. */
  url: string;
  pid: number;
  /** Upstream calls since they were last taken, by endpoint, such as `get /supply-chains/farmers/{id}/`. */
  takeCalls(): Promise<Record<string, number>>;
  /** From now on digits inside each row differ from answer to answer. */
  change(): Promise<void>;
  stop(): Promise<void>;
}

export interface RunningPeer {
  url: string;
  pid: number;
  /** From the start of the process to its first answer, in milliseconds. */
  startMs: number;
  stop(): Promise<void>;
}

export interface StubOptions {
  /** Milliseconds before each answer. */
  latency?: number;
  /** Rows of a page at most. */
  maxLimit?: number;
  /** Farmers and transactions, where the usual ones are fewer. */
  rows?: number;
}

export async function startStub({ latency = 0, maxLimit = 100, rows = 0 }: StubOptions = {}): Promise<RunningStub> {
  const port = await freePort();
  const control = `http://127.0.0.1:${port}/__control`;
  const takeCalls = async () => (await fetch(`${control}/calls`)).json() as Promise<Record<string, number>>;
  const change = async () => void (await fetch(`${control}/change`));
  const args = ['--port', port, '--latency', latency, '--max-limit', maxLimit].map(String);
  const child = start('stub', ['node', 'stub/upstream.ts', ...args], { STUB_ROWS: String(rows) });
  await until('The stub', 20, async () => Boolean(await takeCalls()));
  return { url: `http://127.0.0.1:${port}/v1`, pid: child.pid!, takeCalls, change, stop: () => stop(child) };
}

/** Starts a peer and waits for its first answer. `nodeFlags` go to a peer that Node runs. */
export async function startPeer(peer: Peer, upstreamUrl: string, nodeFlags: string[] = []): Promise<RunningPeer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${peer.path}`;
  const [program = '', ...args] = peer.command;
  const startedAt = performance.now();
  const child = start(peer.name, [program, ...nodeFlags, ...args], {
    ...peer.env,
    PORT: String(port),
    UPSTREAM_URL: upstreamUrl,
  });
  const document = documentFor(peer, 'small');
  try {
    await until(peer.name, peer.startSeconds ?? 30, async () => {
      if (hasEnded(child)) return true;
      return (await ask(url, document, 'Bearer start')).status === 200;
    });
    if (hasEnded(child)) throw new Error(`${peer.name} has ended while it was starting; see logs/${peer.name}.log`);
  } catch (error) {
    await stop(child);
    throw error;
  }
  return { url, pid: child.pid!, startMs: performance.now() - startedAt, stop: () => stop(child) };
}

/** Runs a peer over its own stub. Both end with `use`. */
export async function withPeer<Result>(
  peer: Peer,
  options: StubOptions & { nodeFlags?: string[] },
  use: (running: RunningPeer, stub: RunningStub) => Promise<Result>,
): Promise<Result> {
  const stub = await startStub(options);
  try {
    const running = await startPeer(peer, stub.url, options.nodeFlags);
    try {
      return await use(running, stub);
    } finally {
      await running.stop();
    }
  } finally {
    await stub.stop();
  }
}

/** Sends a document as the caller with that Authorization. */
export async function ask(
  url: string,
  query: string,
  authorization: string,
): Promise<{ status: number; body: { data?: unknown; errors?: unknown[] } }> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ query }),
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization },
    signal: AbortSignal.timeout(20_000),
  });
  const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown[] };
  return { status: response.status, body: errors === undefined ? { data } : { data, errors } };
}
