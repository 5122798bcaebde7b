import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

export interface SteppedCall {
  /** 1 is asked at once; `n + 1` had to wait for an answer of `n`. */
  wave: number;
  method: string;
  /** Below the base URL, with the query. */
  path: string;
  /** In its answer: of a list, or 1 for one resource; 0 where there is none. */
  rows: number;
}

export interface StepwiseService {
  /** Stands for the URL of the service behind it. */
  url: string;
  /** The calls since the last time, by wave and path; resolves when no more are coming. */
  takeCalls(): Promise<SteppedCall[]>;
  close(): Promise<void>;
}

/** A call that waits for its wave. */
interface Held {
  incoming: IncomingMessage;
  body: Buffer;
  outgoing: ServerResponse;
}

/**
 * Turns of the event loop without a new call, after which none is coming. Gateway, service and this share one loop and
 * the loopback device, so a call arrives a handful of turns after what led to it, however slow the machine is.
 */
const idleTurns = 200;

/**
 * Stands before a service in the same process and lets calls pass in waves: a call is held until the gateway has nothing
 * more to ask, then all that are held are answered together. So a wave is what could be asked with the answers of the
 * waves before, and their number is the depth to which calls wait for each other. No clock is involved.
 */
export async function startStepwiseService(target: string): Promise<StepwiseService> {
  const { origin, pathname } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  let calls: SteppedCall[] = [];
  let wave = 0;
  let held: Held[] = [];
  let arrivals = 0;
  let reading = 0;
  let stepping: Promise<void> | undefined;

  const server = createServer(async (incoming, outgoing) => {
    arrivals += 1;
    reading += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    reading -= 1;
    held.push({ incoming, body: Buffer.concat(chunks), outgoing });
    stepping ??= step();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    async takeCalls() {
      do {
        await stepping;
        await idle();
      } while (stepping);
      const taken = calls;
      calls = [];
      wave = 0;
      return taken;
    },
    async close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  async function step(): Promise<void> {
    while (held.length > 0) {
      await idle();
      const released = held;
      held = [];
      wave += 1;
      const answers = await Promise.all(released.map(pass));
      const made = released.map(({ incoming: { method = '', url = '' } }, index) => ({
        wave,
        method,
        path: url.slice(pathname.length),
        rows: answers[index]?.rows ?? 0,
      }));
      calls.push(...made.sort((a, b) => (a.path + a.method < b.path + b.method ? -1 : 1)));
      // An answer that comes apart from its wave would make the calls that it leads to a wave of their own.
      await Promise.all(answers.map(({ deliver }) => deliver()));
    }
    stepping = undefined;
  }

  async function idle(): Promise<void> {
    for (let turns = 0, seen = arrivals; turns < idleTurns; turns += 1) {
      await setImmediate();
      if (reading === 0 && seen === arrivals) continue;
      seen = arrivals;
      turns = 0;
    }
  }

  /** Asks the service, and resolves with what hands its answer on. */
  async function pass({ incoming: { method, url, headers }, body, outgoing }: Held): Promise<Passed> {
    const passed = send(origin + url, { method, headers, agent });
    passed.end(body);
    const [answer] = (await once(passed, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const { statusCode = 500 } = answer;
    const content = Buffer.concat(chunks);
    return {
      rows: statusCode < 300 ? rowsOf(content.toString()) : 0,
      async deliver() {
        if (outgoing.destroyed) return;
        outgoing.writeHead(statusCode, answer.headers).end(content);
        await once(outgoing, 'close');
      },
    };
  }
}

interface Passed {
  rows: number;
  deliver(): Promise<void>;
}

function rowsOf(answer: string): number {
  const { results } = JSON.parse(answer) as { results?: unknown[] };
  return results?.length ?? 1;
}
