import { expect } from 'vitest';
import type { Running } from './own-process.ts';
import { RawConnection } from './raw-http.ts';

/** Settings; at this level a worker that has got ready is logged. */
export const twoWorkers = { WORKERS: '2', LOG_LEVEL: 'info' };

const connections: RawConnection[] = [];

/** Closes the connections of a test. */
export function closeConnections(): void {
  for (const connection of connections.splice(0)) connection.close();
}

/** Process ids of the workers that serve, in the order in which they have got ready. */
export function workers({ output }: Running): number[] {
  const logged = (message: string) =>
    [...output().matchAll(new RegExp(`"pid":(\\d+).*"${message}`, 'g'))].map(([, pid]) => Number(pid));
  const ended = logged('A worker has ended');
  return logged('A worker is ready').filter((pid) => !ended.includes(pid));
}

/** Opens a connection and sends one operation, so that the next connection goes to the next worker. */
export async function connect(url: string): Promise<RawConnection> {
  const connection = new RawConnection(url);
  connections.push(connection);
  expect(await ask(connection, '{ __typename }')).toEqual({ data: { __typename: 'Query' } });
  return connection;
}

export async function ask(connection: RawConnection, query: string, headers: string[] = []): Promise<unknown> {
  const body = JSON.stringify({ query });
  const head = [
    'POST /graphql HTTP/1.1',
    'Host: a',
    'Authorization: demo-coop',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...headers,
  ];
  await connection.send(`${head.join('\r\n')}\r\n\r\n${body}`);
  const answer = await connection.answer();
  return answer && JSON.parse(answer.body);
}
