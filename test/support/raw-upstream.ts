import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface RawUpstream {
  /** Base URL without a slash at its end. */
  url: string;
  /** The request lines that arrived, like "GET /v1/forms/ HTTP/1.1". */
  requestLines: string[];
  close(): Promise<void>;
}

/** A service that answers with bytes: `answer` is called once for each request that has arrived whole. */
export async function startRawUpstream(answer: (socket: Socket) => void): Promise<RawUpstream> {
  const sockets = new Set<Socket>();
  const requestLines: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
      const headEnd = received.indexOf('\r\n\r\n');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (headEnd < 0 || received.length < headEnd + 4 + length) return;
      requestLines.push(received.slice(0, received.indexOf('\r\n')));
      received = '';
      answer(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requestLines,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A whole HTTP answer. */
export function httpAnswer(status: number, body: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} Said\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
