import type { IncomingMessage } from 'node:http';
import { badRequest } from '../errors/refusals.ts';

/** The decoded path of a request. Some proxies send the whole address. @throws BAD_REQUEST (400) */
export function pathOf({ url = '' }: IncomingMessage): string {
  const [, path = ''] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(url) ?? [];
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    throw badRequest('The path is not a valid part of an address.');
  }
}
