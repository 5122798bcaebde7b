import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import busboy from 'busboy';
import { GraphQLError } from 'graphql';
import { codedError, type ErrorCode } from '../graphql/errors/codes.ts';
import { boundaryOf, EmptyLineFinder } from './framing.ts';
import { type Placement, placeUpload } from './map.ts';
import { type BodyReader, feedBody } from './request-body.ts';
import { type SpooledFile, spool } from './spooled-file.ts';

export interface MultipartLimits {
  maxFileBytes: number;
  /** Of `operations` and of `map`, each. */
  maxFieldBytes: number;
  /** Longest silence of a client whose turn it is. */
  idleMs: number;
}

/** What a resolver gets for an `Upload` argument: the FileUpload of graphql-upload-minimal, and its size. */
export interface UploadedFile {
  /** As the client wrote it (without folders); may be empty. */
  filename: string;
  fieldName: string;
  /** As the client wrote it, without parameters. */
  mimetype: string;
  encoding: string;
  /** Bytes: between `min` and `max`, which are equal when the size is exact. */
  size: { min: number; max: number };
  /**
   * The content, to be read once. It ends only if the whole request was well-formed and within the limits; otherwise
   * it is destroyed with PAYLOAD_TOO_LARGE or BAD_REQUEST. Destroying it gives up the file.
   */
  createReadStream(): Readable;
}

export interface MultipartRequest {
  /** The parsed field `operations`, with an `Upload` in the place that `map` names. */
  operations: Record<string, unknown>;
  /** How many bytes of the file have come so far. */
  fileBytes(): number;
  /** To be called when the answer is ready, whatever became of the file: frees it and the connection. */
  finish(): Promise<void>;
}

/**
 * Reads a GraphQL multipart request with one operation and one file. Settles when the file begins, so that the operation
 * runs while the file streams; a client that declares no Content-Length is read to its end first, for only then is
 * the size known that the service wants to be told.
 *
 * Throws, with an HTTP status: BAD_REQUEST (400, or 408 for a silent client), PAYLOAD_TOO_LARGE (413),
 * UNSUPPORTED_MEDIA_TYPE (415). What is left of the body is then drained without the caller's help.
 * Calls `begin` where the headers give no reason to refuse the body, before any of it is read.
 */
export async function readMultipart(
  request: IncomingMessage,
  limits: MultipartLimits,
  begin = () => {},
): Promise<MultipartRequest> {
  const form = new FormReader(request, limits);
  if (!form.isOver) begin();
  const body = feedBody(request, form, limits.idleMs);
  const finish = () => {
    form.close();
    return body.linger();
  };
  try {
    return { operations: await form.operations, fileBytes: () => form.fileBytes, finish };
  } catch (error) {
    finish();
    throw error;
  }
}

/** Room for the headers of three parts, of at most 16 KiB each, and their boundaries. */
const headerRoom = 64 * 1024;
/** What a client may send after the closing boundary: a line end, or nothing. */
const lineEnd = 2;
/** Only these say that the bytes of a part are the bytes of its file. */
const rawEncodings = new Set(['7bit', '8bit', 'binary']);

class FormReader implements BodyReader {
  /** Settles when the operation can run. */
  readonly operations: Promise<Record<string, unknown>>;
  readonly #settle = Promise.withResolvers<Record<string, unknown>>();
  readonly #limits: MultipartLimits;
  readonly #declaredBytes: number | undefined;
  #closingBytes = 0;
  #parser: busboy.Busboy | undefined;
  #next = () => {};
  #running = false;
  #over = false;

  #operationsText: string | undefined;
  #placement: Placement | undefined;
  #file: Readable | undefined;
  #size: UploadedFile['size'] | undefined;
  #received = 0;
  #spooled: Promise<SpooledFile> | undefined;

  #offset = 0;
  readonly #emptyLine = new EmptyLineFinder();
  /** Throws what is no UTF-8, which busboy would read as another text. */
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });
  #headerEnd = 0;

  constructor(request: IncomingMessage, limits: MultipartLimits) {
    this.operations = this.#settle.promise;
    this.#limits = limits;
    const declared = request.headers['content-length'];
    this.#declaredBytes = declared === undefined ? undefined : Number(declared);
    this.#guard(() => {
      const boundary = boundaryOf(request.headers['content-type'] ?? '');
      if (!boundary) throw this.#refusal('UNSUPPORTED_MEDIA_TYPE', 'The Content-Type has no boundary.', 415);
      if ((this.#declaredBytes ?? 0) > limits.maxFileBytes + this.#maxBytesBeforeFile) throw this.#fileTooLarge();
      this.#closingBytes = `\r\n--${boundary}--`.length;
      this.#parser = this.#createParser(boundary);
    });
  }

  get isOver(): boolean {
    return this.#over;
  }

  /**
   * Until the file begins, busboy is fed one part header at a time: it reports the file, but not where its content
   * begins, which is where the last header ended.
   */
  write(chunk: Buffer, next: () => void): void {
    this.#next = next;
    const parser = this.#parser;
    if (this.#over || !parser) {
      next();
      return;
    }
    this.#guard(() => {
      if (!this.#file && this.#offset > this.#maxBytesBeforeFile) throw this.#fieldTooLarge();
      const end = this.#file ? chunk.length : this.#emptyLine.endIn(chunk);
      parser.write(chunk.subarray(0, end), () => (end < chunk.length ? this.write(chunk.subarray(end), next) : next()));
      // busboy reports a file with the first bytes of its content.
      if (!this.#file) this.#utf8.decode(chunk.subarray(0, end), { stream: true });
      this.#offset += end;
      if (this.#emptyLine.found) this.#headerEnd = this.#offset;
    });
  }

  end(): void {
    if (!this.#over) this.#guard(() => this.#parser?.end());
  }

  fail(message: string, status: number): void {
    this.#fail(this.#refusal('BAD_REQUEST', message, status));
  }

  get fileBytes(): number {
    return this.#received;
  }

  /** Frees what is held for a file that nobody will read any more. */
  close(): void {
    this.#giveUp();
    this.#file?.destroy();
    this.#spooled?.then((spooled) => spooled.close()).catch(() => {});
  }

  #createParser(boundary: string): busboy.Busboy {
    const parser = busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary.replace(/["\\]/g, '\\$&')}"` },
      defParamCharset: 'utf8',
      // One more than allowed: busboy reports a field of exactly the limit as cut, and the last of the parts as too many.
      limits: { fieldSize: this.#limits.maxFieldBytes + 1, parts: 4, files: 1 },
    });
    parser.on('field', (name, text, info) => this.#takeField(name, text, info.valueTruncated));
    parser.on('file', (name, part, info) => {
      part.on('error', () => {}); // the form's failure is told through the parser
      if (!this.#over) this.#takeFile(name, part, info);
    });
    parser.on('filesLimit', () => this.fail('The form holds a second file: send one per request.', 400));
    parser.on('partsLimit', () => this.fail('The form has more parts than "operations", "map" and one file.', 400));
    parser.on('error', (error) => this.#fail(this.#malformed(error)));
    parser.on('finish', () => this.#guard(() => this.#complete()));
    return parser;
  }

  #takeField(name: string, text: string, truncated: boolean): void {
    if (truncated) throw this.#fieldTooLarge();
    if (this.#file) throw this.#badRequest(`Field "${name}" comes after the file, which has to be the last part.`);
    if (name === 'operations' && this.#operationsText === undefined) {
      this.#operationsText = text;
    } else if (name === 'map' && !this.#placement) {
      if (this.#operationsText === undefined) throw this.#badRequest('Field "operations" has to come before "map".');
      this.#placement = placeUpload(this.#operationsText, text);
    } else {
      throw this.#badRequest(`Field "${name}" is unknown or comes twice.`);
    }
  }

  #takeFile(name: string, part: Readable, { filename, mimeType, encoding }: busboy.FileInfo): void {
    const placement = this.#placement;
    if (!placement) throw this.#badRequest('Fields "operations" and "map" have to come before the file.');
    if (name !== placement.part) throw this.#badRequest(`File "${name}" is not the one that field "map" names.`);
    if (!rawEncodings.has(encoding))
      throw this.#badRequest(`Content-Transfer-Encoding "${encoding}" is not supported.`);
    this.#size = this.#sizeFromLength();
    const content = this.#contentOf(part);
    this.#file = content;

    const start = (size: UploadedFile['size'], open: () => Readable) => {
      this.#running = true;
      let isTaken = false;
      const createReadStream = () => {
        if (isTaken) throw codedError('BAD_USER_INPUT', 'The file can be sent on once only.');
        isTaken = true;
        return open();
      };
      const about = { filename: filename ?? '', fieldName: name, mimetype: mimeType, encoding };
      placement.upload.resolve({ ...about, size, createReadStream } satisfies UploadedFile);
      this.#settle.resolve(placement.operations);
    };
    if (this.#size) {
      start(this.#size, () => content);
    } else {
      this.#spooled = spool(content);
      this.#spooled.then(
        ({ bytes, createReadStream }) => start({ min: bytes, max: bytes }, createReadStream),
        (error) => this.#fail(error),
      );
    }
  }

  /** The file is what lies between its header and the closing boundary, after which a line end may follow. */
  #sizeFromLength(): UploadedFile['size'] | undefined {
    if (this.#declaredBytes === undefined) return undefined;
    const max = this.#declaredBytes - this.#headerEnd - this.#closingBytes;
    if (max < 0) throw this.#badRequest('The form is cut off.');
    const min = Math.max(0, max - lineEnd);
    if (min > this.#limits.maxFileBytes) throw this.#fileTooLarge();
    return { min, max };
  }

  /** The file as its reader sees it: unlike busboy's stream, it ends only when the whole form has turned out right. */
  #contentOf(part: Readable): Readable {
    const content = new Readable({
      read: () => void part.resume(),
      destroy: (error, done) => {
        this.#giveUp();
        done(error);
      },
    });
    content.on('error', () => {}); // whoever reads it hears of it; nobody has to
    part.on('data', (chunk: Buffer) => {
      if (this.#over) return;
      this.#received += chunk.length;
      if (this.#received > this.#limits.maxFileBytes) this.#fail(this.#fileTooLarge());
      else if (!content.push(chunk)) part.pause();
    });
    return content;
  }

  #complete(): void {
    if (this.#over) return;
    if (this.#operationsText === undefined) throw this.#badRequest('Field "operations" is missing.');
    if (!this.#placement) throw this.#badRequest('Field "map" is missing.');
    if (!this.#file) throw this.#badRequest(`File "${this.#placement.part}" of field "map" is missing.`);
    if (this.#size && this.#received < this.#size.min) throw this.#badRequest('The form goes on after the file.');
    this.#file.push(null);
  }

  /** Runs what busboy or our handlers inside of it may throw in. */
  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#fail(error instanceof GraphQLError ? error : this.#malformed(error));
    }
  }

  #fail(error: unknown): void {
    this.#settle.reject(error);
    if (this.#over) return;
    this.#giveUp();
    this.#file?.destroy(error as Error);
  }

  /** From here on the body is read into nothing. */
  #giveUp(): void {
    this.#over = true;
    this.#parser?.destroy();
    this.#next();
  }

  get #maxBytesBeforeFile(): number {
    return 2 * this.#limits.maxFieldBytes + headerRoom;
  }

  #malformed(error: unknown): GraphQLError {
    const inHeader = error instanceof Error && error.message === 'Malformed part header';
    return this.#badRequest(inHeader ? 'The header of a part is malformed.' : 'The form is cut off or malformed.');
  }

  #fileTooLarge(): GraphQLError {
    return this.#tooLarge('The file', this.#limits.maxFileBytes);
  }

  #fieldTooLarge(): GraphQLError {
    return this.#tooLarge('A field', this.#limits.maxFieldBytes);
  }

  #tooLarge(what: string, bytes: number): GraphQLError {
    return this.#refusal('PAYLOAD_TOO_LARGE', `${what} is larger than ${bytes} bytes.`, 413);
  }

  #badRequest(message: string): GraphQLError {
    return this.#refusal('BAD_REQUEST', message, 400);
  }

  /** While the operation runs, an error belongs to the field that takes the file, and the answer keeps its status. */
  #refusal(code: ErrorCode, message: string, status: number): GraphQLError {
    return codedError(code, message, this.#running ? {} : { http: { status } });
  }
}
