import type { IncomingMessage } from 'node:http';
import { codedError } from '../errors/codes.ts';

/** The decoded path of a request. Some proxies send the whole address. @throws BAD_REQUEST (400) */
export function pathOf({ url = '' }: IncomingMessage): string {
  const [, path = ''] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(url) ?? [];
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    throw codedError('BAD_REQUEST', 'The path is not a valid part of an address.', { http: { status: 400 } });
  }
}
