import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

export interface SteppedCall {
  /** Calls of wave 1 depend on no answer. A call of wave `n + 1` depends on an answer of wave `n`. */
  wave: number;
  method: string;
  /** Relative to the base URL, with the query. */
  path: string;
  /** Rows of the answer: of a list, or 1 for one resource; 0 for an error. */
  rows: number;
}

export interface StepwiseService {
  /** Replaces the URL of the service behind. */
  url: string;
  /** The calls since the last time, by wave and path. Resolves when the gateway makes no more. */
  takeCalls(): Promise<SteppedCall[]>;
  close(): Promise<void>;
}

/** An answer of the service. */
interface ServiceAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  content: Buffer;
  rows: number;
}

/** The answers of a service in which nothing changes. */
export type KnownAnswers = Map<string, ServiceAnswer>;

/** A call that waits for its wave. */
interface WaitingCall {
  incoming: IncomingMessage;
  body: Buffer;
  outgoing: ServerResponse;
}

/**
 * After this many turns of the event loop without a new call, no call is coming. The gateway and both
 * services share one loop. A call arrives a few turns after its cause, also on a slow machine.
 */
const idleTurns = 200;

/**
 * A proxy before a service in the same process, which passes calls on in waves. A call waits until the gateway makes no
 * further call. Then the proxy answers all waiting calls together. Calls of one wave depend on answers of the wave before.
 * The proxy needs no clock. Answers in `known` are not asked for again.
 */
export async function startStepwiseService(target: string, known?: KnownAnswers): Promise<StepwiseService> {
  const { origin, pathname } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  let calls: SteppedCall[] = [];
  let wave = 0;
  let waiting: WaitingCall[] = [];
  let arrivals = 0;
  let reading = 0;
  let stepping: Promise<void> | undefined;

  const server = createServer(async (incoming, outgoing) => {
    arrivals += 1;
    reading += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    reading -= 1;
    waiting.push({ incoming, body: Buffer.concat(chunks), outgoing });
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
    while (waiting.length > 0) {
      await idle();
      const released = waiting;
      waiting = [];
      wave += 1;
      const answers = await Promise.all(released.map(pass));
      const made = released.map(({ incoming: { method = '', url = '' } }, index) => ({
        wave,
        method,
        path: url.slice(pathname.length),
        rows: answers[index]?.rows ?? 0,
      }));
      calls.push(...made.sort((a, b) => (a.path + a.method < b.path + b.method ? -1 : 1)));
      // An answer apart from its wave would put the calls that depend on it into a wave of their own.
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

  /** Gets the answer to a call. Resolves with a function that delivers it. */
  async function pass(call: WaitingCall): Promise<Passed> {
    const { incoming, outgoing } = call;
    const { authorization, 'accept-language': language } = incoming.headers;
    const name = [incoming.method, incoming.url, authorization, language].join('\n');
    const answer = known?.get(name) ?? (await ask(call));
    known?.set(name, answer);
    return {
      rows: answer.rows,
      async deliver() {
        if (outgoing.destroyed) return;
        outgoing.writeHead(answer.status, answer.headers).end(answer.content);
        await once(outgoing, 'close');
      },
    };
  }

  async function ask({ incoming: { method, url, headers }, body }: WaitingCall): Promise<ServiceAnswer> {
    const passed = send(origin + url, { method, headers, agent });
    passed.end(body);
    const [answer] = (await once(passed, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const { statusCode: status = 500 } = answer;
    const content = Buffer.concat(chunks);
    return { status, headers: answer.headers, content, rows: status < 300 ? rowsOf(content.toString()) : 0 };
  }
}

interface Passed {
  rows: number;
  deliver(): Promise<void>;
}

interface Listed {
  results?: unknown[];
}

function rowsOf(answer: string): number {
  const body = JSON.parse(answer) as Listed & { data?: Listed };
  return (body.data ?? body).results?.length ?? 1;
}
