import { connect } from 'node:net';
import { around, head, operationOf, pdf } from './upload-form.ts';

/** The end of the connection of a slow client. */
export interface Ending {
  /** Milliseconds from the connection, or from the first byte of an answer that is not read, to the end. */
  ms: number;
  /** Status of the answer, where one came. */
  status: number | undefined;
}

/** Ways to take up a gateway's time and room with next to nothing. */
export const slowKinds = ['silent', 'slow headers', 'slow body', 'unread answer', 'trickling upload'] as const;
export type SlowKind = (typeof slowKinds)[number];

export interface SlowClientOptions {
  url: string;
  /** Id of a payment that takes invoices. */
  payment: string;
  /** Milliseconds between the bytes that it sends. */
  pace: number;
}

/** Resolves when the gateway has closed the connection, or when the client has to leave. */
export function slowClient(
  kind: SlowKind,
  { url, payment, pace }: SlowClientOptions,
  leaving?: AbortSignal,
): Promise<Ending> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<Ending>();
  let startedAt = performance.now();
  const socket = connect(Number(port), hostname);
  let status: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const trickle = (start: string | Buffer, bytes: string) => {
    socket.write(start);
    let sent = 0;
    timer = setInterval(() => socket.write(bytes[sent++ % bytes.length]!), pace);
  };
  const leave = () => socket.destroy();
  leaving?.addEventListener('abort', leave);
  socket.on('data', (chunk) => {
    status ??= Number(chunk.toString('latin1', 9, 12));
    if (kind !== 'unread answer') return;
    socket.pause();
    startedAt = performance.now();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(timer);
    leaving?.removeEventListener('abort', leave);
    resolve({ ms: performance.now() - startedAt, status });
  });
  socket.on('connect', () => {
    switch (kind) {
      case 'silent':
        return;
      case 'slow headers':
        return trickle('POST /graphql HTTP/1.1\r\nHost: a\r\n', 'X-Slow: a\r\n');
      case 'slow body':
        return trickle(jsonHead(1_000), ' ');
      case 'unread answer':
        socket.write(askMuch);
        // The client notices the end of a connection only if it writes. The server ignores empty lines.
        timer = setInterval(() => socket.write('\r\n'), pace);
        return;
      case 'trickling upload': {
        const { before } = around(operationOf(payment), 'slow.pdf');
        // The service sees the file once its type is known.
        return trickle(Buffer.concat([Buffer.from(head(before.length + 1_000_000)), before, pdf(5_000)]), 'a');
      }
    }
  });
  return promise;
}

const jsonHead = (bytes: number) =>
  `POST /graphql HTTP/1.1\r\nHost: a\r\nAuthorization: demo-coop\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;

/** Pipelined requests, whose answers exceed the buffers of the system for a client that does not read. */
const askMuch = (() => {
  const lists = Array.from(
    { length: 20 },
    (_, i) => `a${i}: farmers(limit: 200) { results { id name number phone email street city country description } }`,
  );
  const body = JSON.stringify({ query: `{ ${lists.join(' ')} }` });
  return (jsonHead(Buffer.byteLength(body)) + body).repeat(8);
})();
