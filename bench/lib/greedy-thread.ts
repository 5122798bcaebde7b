/** Sends requests over many connections, each as soon as the one before is answered, in a thread of its own. */
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

export interface GreedyJob {
  url: string;
  connections: number;
  /** `made-up`: another key in each request. `none`: no Authorization. */
  key: 'one' | 'made-up' | 'none';
  /** `__N__` in it becomes another number in each request. */
  document: string;
}

const { url, connections, key, document } = workerData as GreedyJob;
const { hostname, port, pathname } = new URL(url);
const answers: Record<string, number> = {};
let serial = 0;
let isOver = false;

for (let i = 0; i < connections; i++) open();
parentPort?.once('message', () => {
  isOver = true;
  parentPort?.postMessage(answers);
});

function open(): void {
  const socket = connect(Number(port), hostname).setNoDelay(true);
  let received = '';
  socket.setEncoding('latin1');
  socket.on('error', () => {});
  socket.on('close', () => {
    if (!isOver) open();
  });
  socket.on('connect', () => socket.write(requestText()));
  socket.on('data', (text: string) => {
    received += text;
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0);
    if (received.length < end + 4 + length) return;
    const status = received.slice(9, 12);
    answers[status] = (answers[status] ?? 0) + 1;
    received = '';
    if (!isOver) socket.write(requestText());
  });
}

function requestText(): string {
  serial += 1;
  const body = JSON.stringify({ query: document.replaceAll('__N__', String(serial % 2_000)) });
  const authorization = { one: 'Bearer greedy', 'made-up': `Bearer made-up ${serial}`, none: undefined }[key];
  return [
    `POST ${pathname} HTTP/1.1`,
    `host: ${hostname}`,
    'content-type: application/json',
    ...(authorization ? [`authorization: ${authorization}`] : []),
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
