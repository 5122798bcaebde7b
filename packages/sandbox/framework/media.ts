import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { InvoiceFolder } from './invoices.ts';
import { UnknownPath } from './refusal.ts';

const images = join(import.meta.dirname, '../seed/images');

/** By the ending of the file's name, as nginx gives them. */
const types: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
  '.html': 'text/html',
};

/** Serves the files behind the URLs in answers, to everybody and in ranges, as nginx does before the real service. */
export function serveMedia(app: FastifyInstance, invoices: InvoiceFolder): void {
  app.get('/media/:folder/:name', async ({ params, headers }, reply) => {
    const { folder, name } = params as { folder: string; name: string };
    const file = folder === 'images' ? join(images, name) : folder === 'invoices' ? invoices.fileOf(name) : undefined;
    const found = file && basename(name) === name ? await stat(file).catch(() => undefined) : undefined;
    if (!file || !found?.isFile()) throw new UnknownPath();
    const { size, mtimeMs } = found;
    const etag = `"${Math.floor(mtimeMs).toString(16)}-${size.toString(16)}"`;
    reply.headers({ etag, 'accept-ranges': 'bytes' });
    // Nobody may run an upload in the origin of the sandbox.
    if (folder === 'invoices') reply.header('content-disposition', 'attachment');
    if (headers['if-none-match'] === etag) return reply.code(304).send();
    reply.type(types[extname(name).toLowerCase()] ?? 'application/octet-stream');
    const range = (headers['if-range'] ?? etag) === etag ? rangeIn(headers.range, size) : undefined;
    if (range && range.start >= size) return reply.code(416).header('content-range', `bytes */${size}`).send();
    const { start, end } = range ?? { start: 0, end: size - 1 };
    if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
    reply.header('content-length', end - start + 1);
    return reply.send(size === 0 ? '' : createReadStream(file, { start, end }));
  });
}

/** The one range that the header asks for. Undefined where it asks for none, for several, or for none that there can be. */
function rangeIn(header = '', size: number): { start: number; end: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start <= end || start >= size ? { start, end } : undefined;
}
