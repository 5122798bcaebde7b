import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import type { StoredFile } from './calls.ts';
import type { Dialect } from './dialect.ts';
import { Crash, invalid, refused } from './refusal.ts';

export const invoicesPath = '/media/invoices/';

export interface ReceivedFile extends StoredFile {
  /** Below the origin. */
  path: string;
}

interface Saved {
  temporary: string;
  name: string;
  type: string;
  bytes: number;
  sha256: string;
}

interface Form {
  file?: Promise<Saved>;
  text?: string;
}

/** The folder of uploaded files. A file is streamed to a temporary name, and renamed when it is whole. */
export class InvoiceFolder {
  #folder: string | undefined;
  readonly #isTemporary: boolean;
  readonly #countsFiles: boolean;
  #files = 0;

  /**
   * Without a folder the first upload makes a temporary one, which `close` removes. Names of files are random, or begin
   * with their number where two runs must give the same answers.
   */
  constructor(folder: string | undefined, { countsFiles = false } = {}) {
    this.#isTemporary = folder === undefined;
    this.#countsFiles = countsFiles;
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    // A killed process leaves the files that it was receiving.
    for (const name of readdirSync(folder)) if (name.endsWith('.part')) rmSync(join(folder, name));
    this.#folder = folder;
  }

  close(): void {
    if (this.#isTemporary) this.clear();
  }

  /** Removes all files of a temporary folder. */
  clear(): void {
    this.#files = 0;
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }

  /**
   * Stores the file part `field` of a multipart body. A refused or cut upload leaves no file. `requireCurrent` throws where
   * `clear` came meanwhile: a file of before has no place and no number among those of after.
   */
  async receive(
    request: IncomingMessage,
    field: string,
    dialect: Dialect,
    requireCurrent: () => void,
  ): Promise<ReceivedFile> {
    const contentLength = request.headers['content-length'];
    // Django takes a chunked body for an empty one.
    const isSeen = dialect === 'spec' || contentLength !== undefined;
    const isForm = /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
    const form = isForm && isSeen ? await this.#readForm(request, field) : {};
    const saved = await form.file;
    if (!saved) throw withoutFile(field, form.text, dialect);
    try {
      if (dialect === 'connect') refuseAsDjango(field, saved);
      requireCurrent();
      const { temporary, ...file } = saved;
      const stored = `${this.#prefix()}_${safeName(saved.name)}`;
      renameSync(temporary, join(this.#existingFolder(), stored));
      const path = invoicesPath + encodeURIComponent(stored);
      return { ...file, path, contentLength: contentLength === undefined ? undefined : Number(contentLength) };
    } catch (error) {
      await rm(saved.temporary, { force: true });
      throw error;
    }
  }

  /** The path of a file in the file system. Undefined for a name that no invoice has. */
  fileOf(name: string): string | undefined {
    return this.#folder && !name.endsWith('.part') ? join(this.#folder, name) : undefined;
  }

  #prefix(): string {
    this.#files += 1;
    return this.#countsFiles ? String(this.#files).padStart(10, '0') : randomBytes(5).toString('hex');
  }

  #existingFolder(): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'sandbox-invoices-'));
    return this.#folder;
  }

  async #readForm(request: IncomingMessage, field: string): Promise<Form> {
    const form: Form = {};
    try {
      const parser = busboy({ headers: request.headers, defParamCharset: 'utf8' });
      parser.on('file', (name, content, { filename, mimeType }) => {
        // A destroyed parser destroys its current part with an error, which crashes the process without a listener.
        content.on('error', () => {});
        if (name !== field || form.file) content.resume();
        else form.file = this.#save(content, filename ?? '', mimeType);
        // A parser whose part nobody reads does not end.
        form.file?.catch((error) => parser.destroy(error));
      });
      parser.on('field', (name, text) => {
        if (name === field) form.text = text;
      });
      await whole(request, parser);
      return form;
    } catch (error) {
      await form.file?.then(({ temporary }) => rm(temporary, { force: true })).catch(() => {});
      // The disk has failed, and not the form.
      if (error instanceof Error && 'syscall' in error) throw error;
      throw refused(400, `Multipart form parse error - ${error instanceof Error ? error.message : error}`);
    }
  }

  async #save(content: Readable, name: string, type: string): Promise<Saved> {
    const temporary = join(this.#existingFolder(), `${randomBytes(8).toString('hex')}.part`);
    const hash = createHash('sha256');
    let bytes = 0;
    const measured = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    };
    // Made before the pipeline begins, because a pipeline that fails while it opens its file makes it after `rm`.
    const file = await open(temporary, 'w');
    try {
      await pipeline(content, measured, file.createWriteStream());
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    return { temporary, name, type, bytes, sha256: hash.digest('hex') };
  }
}

/** Settles when the parser has seen the whole body, or fails when the body is cut or malformed. */
function whole(request: IncomingMessage, parser: busboy.Busboy): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const stop = (error: Error) => {
      request.unpipe(parser);
      // Reads and drops the rest, because a client that still writes would not see the answer.
      request.resume();
      parser.destroy(error);
      reject(error);
    };
    // Never removed, because a parser that is being destroyed emits a second error.
    parser.on('error', stop);
    parser.on('close', resolve);
    request.on('error', stop);
    request.pipe(parser);
  });
}

function withoutFile(field: string, text: string | undefined, dialect: Dialect): Error {
  if (dialect === 'connect' && !text) return new Crash();
  if (text === undefined) return invalid({ [field]: ['No file was submitted.'] });
  return invalid({ [field]: ['The submitted data was not a file. Check the encoding type on the form.'] });
}

function refuseAsDjango(field: string, { bytes, name }: Saved): void {
  if (bytes === 0) throw invalid({ [field]: ['The submitted file is empty.'] });
  const length = [...name].length;
  if (length > 100) {
    throw invalid({ [field]: [`Ensure this filename has at most 100 characters (it has ${length}).`] });
  }
}

/** Short enough for every file system, in four-byte letters too. */
function safeName(name: string): string {
  const safe = name
    .trim()
    .replaceAll(' ', '_')
    .replace(/[^\p{L}\p{N}._-]/gu, '');
  return [...safe].slice(-50).join('') || 'invoice';
}
