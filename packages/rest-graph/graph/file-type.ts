import { finished, type Readable } from 'node:stream';
import { codedError } from '@gateway/base';
import { isRunByBrowsers } from '@gateway/contract';

/** First bytes of a file that show its type. */
const sampleBytes = 4_100;

/** In the UTF-8 or UTF-16 that browsers read, with a mark of the byte order or without. */
const markup = /^(?:ï»¿|ÿþ|þÿ)?\s*<[a-z!?]/i;

/** Types of texts, which no first bytes show. */
const ofText = /^text\/|[/+](?:x-)?(?:csv|(?:nd)?jsonl?|ya?ml|toml|sql)$/;

/**
 * The media type of a file by its first bytes. That of its client, `said`, counts for a file of no known form, and among the
 * types of texts. Leaves the stream as it was.
 * @throws BAD_USER_INPUT for a type that is not among `types`. Without `types`, all are taken but HTML, SVG and other XML,
 * because a browser would run them.
 */
export async function fileType(
  stream: Readable,
  argument: string,
  types: readonly string[] | undefined,
  said: string,
): Promise<string> {
  const own = isRunByBrowsers(said) ? 'application/octet-stream' : said.toLowerCase();
  const sample = await firstBytes(stream);
  const refuse = (found: string) => {
    const advice = types ? `Send one of these types: ${types.join(', ')}.` : 'Browsers would run it.';
    const message = `The file is ${found}. ${advice}`;
    stream.destroy();
    return codedError('BAD_USER_INPUT', message, { fields: [{ path: [argument], message }] });
  };
  const text = sample.toString('latin1').replaceAll('\0', '');
  if (markup.test(text)) throw refuse(/<(?:\w+:)?svg\b/i.test(text) ? 'SVG' : /<\?xml/i.test(text) ? 'XML' : 'HTML');
  const { fileTypeFromBuffer } = await import('file-type');
  const found = (await fileTypeFromBuffer(sample))?.mime;
  if (!types || types.some((type) => isOf(type, found))) return found ?? own;
  if (sample.length === 0) throw refuse('empty');
  const texts = isText(sample) && !ofDocument.test(found ?? '') ? types.filter((type) => ofText.test(type)) : [];
  if (texts.some((type) => isOf(type, own))) return own;
  if (texts.length > 0) return texts.find((type) => !type.endsWith('*')) ?? 'text/plain';
  throw refuse(found ?? (isText(sample) ? 'a text' : 'of an unknown type'));
}

/** Forms that are texts too. The first letters of a text may be those of any other form, such as the BM of a bitmap. */
const ofDocument = /^application\/(pdf|rtf|postscript|eps)$/;

/** `image/*` stands for all images, and bytes of no known form for any file. */
function isOf(type: string, found: string | undefined): boolean {
  if (type === '*/*' || type === 'application/octet-stream' || type === found) return true;
  return type.endsWith('/*') && found?.startsWith(type.slice(0, -1)) === true;
}

/** Without control characters, but for those of lines and terminals. UTF-16 has a mark of the byte order. */
function isText(bytes: Buffer): boolean {
  const mark = bytes.toString('latin1', 0, 2);
  return mark === 'ÿþ' || mark === 'þÿ' || bytes.every((byte) => byte > 31 || [9, 10, 12, 13, 27].includes(byte));
}

/** Puts the bytes back. Fewer than a sample are the whole file. Rejects where the stream does. */
function firstBytes(stream: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const stop = finished(stream, (error) => settle(error));
    const settle = (error: Error | null | undefined, bytes: Buffer = Buffer.alloc(0)) => {
      stop();
      stream.off('readable', take);
      if (error) return reject(error);
      if (bytes.length > 0) stream.unshift(bytes);
      resolve(bytes);
    };
    const take = () => {
      // Null while fewer bytes are there.
      const bytes = stream.read(sampleBytes) as Buffer | null;
      if (bytes) settle(undefined, bytes);
    };
    stream.on('readable', take);
  });
}
