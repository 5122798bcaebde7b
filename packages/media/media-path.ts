import type { IncomingMessage } from 'node:http';
import { badRequest } from '@gateway/base';

/** The name of the part in the log. */
export const partName = 'Media';

/** Files of the service, there and at the gateway. */
export const mediaPath = '/media/';

/** A decoded name in a path, which leads nowhere else. The service, or a proxy before it, may read paths in its own way. */
const plainName = /^[^./\\%\p{Cc}][^/\\%\p{Cc}]*$/u;

/**
 * The path of a file as the client sent it, and its query.
 * @throws BAD_REQUEST (400) for a path that could lead out of the files.
 */
export function mediaPathOf({ url = '' }: IncomingMessage): { path: string; query: string } {
  const [, path = '', query = ''] = /^(?:https?:\/\/[^/?#]*)?(\/media\/[!->@-~]*)(\?[!-~]*)?$/i.exec(url) ?? [];
  const names = path.slice(mediaPath.length).split('/');
  if (path.startsWith(mediaPath) && names.every((name) => plainName.test(decode(name)))) return { path, query };
  throw badRequest(`No name below ${mediaPath} is empty, begins with a dot, or holds a slash or a %.`);
}

/** Empty for a text that is not percent-encoded UTF-8. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
