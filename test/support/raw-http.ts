import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A connection to a server, for requests that no HTTP client would send. */
export class RawConnection {
  readonly socket: Socket;
  #received = '';
  #progressed = () => {};

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('data', (chunk) => {
      this.#received += chunk;
      this.#progressed();
    });
    this.socket.on('close', () => this.#progressed());
    this.socket.on('error', () => {});
  }

  /** Resolves when the bytes are on their way, as fast as the server takes them. */
  async send(bytes: string | Buffer): Promise<void> {
    if (!this.socket.write(bytes)) await Promise.race([once(this.socket, 'drain'), once(this.socket, 'close')]);
  }

  /** The next answer; undefined when the connection is closed before it is whole. */
  async answer(): Promise<RawAnswer | undefined> {
    for (;;) {
      const answer = this.#take();
      if (answer || this.socket.closed) return answer;
      await new Promise<void>((resolve) => {
        this.#progressed = resolve;
      });
    }
  }

  close(): void {
    this.socket.destroy();
  }

  #take(): RawAnswer | undefined {
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return undefined;
    const [statusLine = '', ...lines] = this.#received.slice(0, headEnd).split('\r\n');
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const [name = '', ...value] = line.split(':');
      headers[name.toLowerCase()] = value.join(':').trim();
    }
    const bytes = Buffer.from(this.#received.slice(headEnd + 4));
    const length = Number(headers['content-length'] ?? 0);
    if (bytes.length < length) return undefined;
    this.#received = bytes.subarray(length).toString();
    return { status: Number(statusLine.split(' ')[1]), headers, body: bytes.subarray(0, length).toString() };
  }
}

/** Extensions of the first error of an answer. */
export const extensionsOf = (answer: RawAnswer | undefined) => JSON.parse(answer!.body).errors[0].extensions;

/** Sends one request on a connection of its own, and gives its answer. */
export async function sendRaw(url: string, bytes: string | Buffer): Promise<RawAnswer | undefined> {
  const connection = new RawConnection(url);
  await connection.send(bytes);
  const answer = await connection.answer();
  connection.close();
  return answer;
}

/** The bytes of a POST, with the length of its body unless given. */
export function rawPost(body: string, headers: Record<string, string> = {}, method = 'POST'): string {
  const lines = Object.entries({
    Host: 'a',
    Authorization: 'demo-coop',
    'Content-Type': 'application/json',
    ...('Transfer-Encoding' in headers ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} /graphql HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
