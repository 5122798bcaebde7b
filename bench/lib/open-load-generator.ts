/**
 * Sends load in a process of its own, over bare sockets, so that it takes little of the machine. Each line of stdin is a
 * job as JSON, each line of stdout its outcome.
 */
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenJob, OpenOutcome } from './open-load.ts';
import { quantile } from './statistics.ts';

/** As many as a gateway takes by default. */
const maxConnections = 5_000;
const headEnd = Buffer.from('\r\n\r\n');

let serial = 0;

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(line)))}\n`);
}

async function run(job: OpenJob): Promise<OpenOutcome> {
  const { url, document, seconds, deadlineMs, perSecond, concurrency = 0, connections = 0, inTurn = false } = job;
  const { hostname, port, pathname } = new URL(url);
  const body = JSON.stringify({ query: document });
  const head = [
    `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json`,
    `content-length: ${Buffer.byteLength(body)}\r\naccept: */*\r\nauthorization: Bearer caller-${process.pid}-`,
  ].join('\r\n');
  const idle: Client[] = [];
  const open = new Set<Client>();
  const outcome = { sent: 0, right: 0 };
  const rightMs: number[] = [];
  const firstByteMs: number[] = [];
  let startedAt = 0;
  let endsAt = 0;
  const { promise, resolve } = Promise.withResolvers<OpenOutcome>();

  /** A connection, with one request at a time. */
  class Client {
    readonly #socket: Socket;
    #sentAt = 0;
    #firstByteMs = 0;
    #chunks: Buffer[] = [];
    #missing = 0;

    constructor() {
      open.add(this);
      this.#socket = connect(Number(port), hostname).setNoDelay(true);
      this.#socket.on('data', (chunk: Buffer) => this.#take(chunk));
      this.#socket.on('error', () => {});
      this.#socket.on('close', () => {
        if (!open.delete(this)) return;
        if (this.#sentAt === 0) idle.splice(idle.indexOf(this), 1);
      });
    }

    get sentAt(): number {
      return this.#sentAt;
    }

    /** A request that the generator sends late has waited already. */
    send(dueAt = performance.now()): void {
      outcome.sent++;
      this.#sentAt = dueAt;
      this.#socket.write(`${head}${serial++}\r\n\r\n${body}`);
    }

    /** Leaves: the time of its user is over. */
    leave(): void {
      open.delete(this);
      this.#socket.destroy();
    }

    #take(chunk: Buffer): void {
      if (this.#chunks.push(chunk) === 1) this.#firstByteMs = performance.now() - this.#sentAt;
      if (this.#missing > 0) this.#missing -= chunk.length;
      else this.#readHead();
      if (this.#missing > 0 || this.#chunks.length === 0) return;
      const answer = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
      this.#chunks = [];
      const ms = performance.now() - this.#sentAt;
      const status = answer.toString('latin1', 9, 12);
      this.#sentAt = 0;
      if (status === '200' && !answer.subarray(0, 4_096).includes('"errors"')) {
        outcome.right++;
        rightMs.push(ms);
        firstByteMs.push(this.#firstByteMs);
      }
      if (concurrency === 0) idle.push(this);
      else if (performance.now() < endsAt) this.send();
    }

    #readHead(): void {
      const received = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
      const end = received.indexOf(headEnd);
      if (end < 0) {
        this.#missing = 1;
        return;
      }
      const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
      this.#missing = end + headEnd.length + Number(length) - received.length;
    }
  }

  function sendOne(dueAt: number): void {
    const client = (inTurn ? idle.shift() : idle.pop()) ?? (open.size < maxConnections ? new Client() : undefined);
    if (client) client.send(dueAt);
    else outcome.sent++;
  }

  function leaveLate(now: number): void {
    // The requests are in the order of time, except on connections that come again. The search therefore reads all.
    for (const client of open) {
      if (client.sentAt === 0 || now - client.sentAt < deadlineMs) continue;
      client.leave();
    }
  }

  if (perSecond) {
    for (let i = 0; i < connections; i++) {
      idle.push(new Client());
      if (i % 10 === 0) await sleep(2);
    }
    await sleep(500);
  }
  startedAt = performance.now();
  endsAt = startedAt + seconds * 1_000;
  for (let i = 0; i < concurrency; i++) new Client().send();
  let checkedAt = startedAt;
  const timer = setInterval(() => {
    const now = performance.now();
    if (perSecond) {
      const due = ((Math.min(now, endsAt) - startedAt) / 1_000) * perSecond;
      while (outcome.sent < due) sendOne(startedAt + (outcome.sent / perSecond) * 1_000);
    }
    if (now - checkedAt > 20) {
      leaveLate(now);
      checkedAt = now;
    }
    const isWaiting = [...(now < endsAt ? [] : open)].some(({ sentAt }) => sentAt > 0);
    if (now < endsAt || isWaiting) return;
    clearInterval(timer);
    for (const client of open) client.leave();
    for (const each of [rightMs, firstByteMs]) each.sort((a, b) => a - b);
    resolve({
      ...outcome,
      perSecond: outcome.right / seconds,
      p50: quantile(rightMs, 0.5),
      p99: quantile(rightMs, 0.99),
      firstByteP50: quantile(firstByteMs, 0.5),
      firstByteP99: quantile(firstByteMs, 0.99),
    });
  }, 1);
  return promise;
}
