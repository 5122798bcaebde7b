import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { badRequest, codedError, overloaded, tooLarge, unsupported, withResolvers } from '@gateway/base';
import busboy from 'busboy';
import { GraphQLError } from 'graphql';
import { type BodyBounds, ClientBody } from './client-body.ts';
import { boundaryOf, FormHead, malformed } from './framing.ts';
import { type Placement, placeUpload, type UploadedFile } from './map.ts';
import { type SpooledFile, type SpoolOptions, spool } from './spooled-file.ts';

/** For the headers of three parts, of at most 16 KiB each, and their boundaries. */
const maxHeaderBytes = 64 * 1024;
/** A client may end the form with a line break after the closing boundary, or without. */
const lastLineBreakBytes = 2;
/** Encodings in which the bytes of a part are the bytes of its file. */
const rawEncodings = new Set(['7bit', '8bit', 'binary']);

export interface FormOptions {
  maxFileBytes: number;
  /** For `operations` and `map`, each. */
  maxFieldBytes: number;
  /** The bounds of the fields before the file, and of JSON bodies. */
  bodies: BodyBounds;
  /** For files of unknown length. */
  spool: SpoolOptions;
}

export interface FormEvents {
  /** The headers are no reason to refuse the form. */
  begin(): void;
  /** The file begins. An error that it throws refuses the form. */
  onFile(): void;
  /** The operation begins to read the file. */
  onRead(): void;
}

/** Reads the parts of a form in their order: `operations`, `map`, one file. */
export class FormReader {
  readonly #settle = withResolvers<Record<string, unknown>>();
  /** Settles when the operation can run. */
  readonly operations = this.#settle.promise;
  readonly #options: FormOptions;
  readonly #events: FormEvents;
  readonly #declaredBytes: number | undefined;
  #closingBytes = 0;
  #parser: busboy.Busboy | undefined;
  #next = () => {};
  /** The form is whole, or refused. */
  #over = false;

  #operationsText: string | undefined;
  #placement: Placement | undefined;
  #file: Readable | undefined;
  #size: UploadedFile['size'] | undefined;
  #received = 0;
  #spooled: Promise<SpooledFile> | undefined;

  readonly #head = new FormHead();
  readonly #headBody: ClientBody;

  constructor(request: IncomingMessage, options: FormOptions, events: FormEvents) {
    this.#options = options;
    this.#events = events;
    this.#headBody = new ClientBody(options.bodies, (error) => this.fail(error));
    const declared = request.headers['content-length'];
    this.#declaredBytes = declared === undefined ? undefined : Number(declared);
    this.#guard(() => {
      const boundary = boundaryOf(request.headers['content-type'] ?? '');
      if (!boundary) throw unsupported('The Content-Type has no boundary.');
      if ((this.#declaredBytes ?? 0) > options.maxFileBytes + this.#maxBytesBeforeFile) throw this.#fileTooLarge();
      this.#closingBytes = `\r\n--${boundary}--`.length;
      this.#parser = this.#createParser(boundary);
      events.begin();
    });
  }

  /**
   * Takes a chunk of the body. `next` asks for the next one; further calls of `next` do nothing.
   * Until the file begins, busboy gets all bytes up to the end of a part header at once. It reports the file with the next
   * byte. The content began at the end of the header.
   */
  write(chunk: Buffer, next: () => void): void {
    this.#next = next;
    const parser = this.#parser;
    if (this.#over || !parser) {
      next();
      return;
    }
    this.#guard(() => {
      if (this.#file) return void parser.write(chunk, () => next());
      if (this.#head.bytes > this.#maxBytesBeforeFile) throw this.#fieldTooLarge();
      const mayBeginFile = this.#head.isAtHeaderEnd;
      const piece = this.#head.upToHeaderEnd(chunk);
      this.#headBody.add(piece);
      if (this.#over) return;
      if (!mayBeginFile && !this.#head.isAtHeaderEnd) return next();
      const rest = chunk.subarray(piece.length);
      this.#parseHead(parser, () => (rest.length > 0 ? this.write(rest, next) : next()));
    });
  }

  /** The body has ended. */
  end(): void {
    if (this.#over) return;
    this.#guard(() => {
      if (this.#parser && !this.#file) this.#parseHead(this.#parser);
      this.#parser?.end();
    });
  }

  #parseHead(parser: busboy.Busboy, next = () => {}): void {
    const bytes = this.#headBody.take();
    parser.write(bytes, next);
    if (this.#file) return;
    try {
      this.#head.pass(bytes);
    } catch (error) {
      throw this.#placement ? this.#withoutFilename(this.#placement) : error;
    }
  }

  get fileBytes(): number {
    return this.#received;
  }

  /** Ends the upload with OVERLOADED; false where the whole file is here. */
  giveWay(): boolean {
    if (this.#over) return false;
    this.fail(overloaded());
    return true;
  }

  /** Frees the memory and the disk of a file that no resolver reads any more. */
  close(): void {
    this.#giveUp();
    this.#file?.destroy();
    this.#spooled?.then((spooled) => spooled.close()).catch(() => {});
  }

  #createParser(boundary: string): busboy.Busboy {
    const parser = busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary.replace(/["\\]/g, '\\$&')}"` },
      defParamCharset: 'utf8',
      // One more than allowed, because busboy refuses a field or a part that reaches the limit exactly.
      limits: { fieldSize: this.#options.maxFieldBytes + 1, parts: 4, files: 1 },
    });
    parser.on('field', (name, text, info) => this.#takeField(name, text, info.valueTruncated));
    parser.on('file', (name, part, info) => {
      part.on('error', () => {}); // the parser reports the same failure
      if (!this.#over) this.#takeFile(name, part, info);
    });
    parser.on('filesLimit', () => this.fail(badRequest('The form holds a second file: send one per request.')));
    parser.on('partsLimit', () =>
      this.fail(badRequest('The form has more parts than "operations", "map" and one file.')),
    );
    parser.on('error', (error) => {
      if (!this.#over) this.fail(malformed(error));
    });
    parser.on('finish', () => this.#guard(() => this.#complete()));
    return parser;
  }

  #takeField(name: string, text: string, truncated: boolean): void {
    if (name === this.#placement?.part) throw this.#withoutFilename(this.#placement);
    if (truncated) throw this.#fieldTooLarge();
    if (this.#file) throw badRequest(`Field "${name}" comes after the file, which has to be the last part.`);
    if (name === 'operations' && this.#operationsText === undefined) {
      this.#operationsText = text;
    } else if (name === 'map' && !this.#placement) {
      if (this.#operationsText === undefined) throw badRequest('Field "operations" has to come before "map".');
      this.#placement = placeUpload(this.#operationsText, text);
    } else {
      throw badRequest(`Field "${name}" is unknown or comes twice.`);
    }
  }

  #takeFile(name: string, part: Readable, { filename, mimeType, encoding }: busboy.FileInfo): void {
    const placement = this.#placement;
    if (!placement) throw badRequest('Fields "operations" and "map" have to come before the file.');
    if (name !== placement.part) throw badRequest(`File "${name}" is not the one that field "map" names.`);
    if (!rawEncodings.has(encoding)) throw badRequest(`Content-Transfer-Encoding "${encoding}" is not supported.`);
    this.#size = this.#sizeFromLength();
    this.#events.onFile();
    this.#headBody.release();
    const content = this.#contentOf(part);
    this.#file = content;

    const start = (size: UploadedFile['size'], open: () => Readable) => {
      let isTaken = false;
      const createReadStream = () => {
        if (isTaken) throw codedError('BAD_USER_INPUT', 'The file can be sent on once only.');
        isTaken = true;
        this.#events.onRead();
        return open();
      };
      const about = { filename: filename ?? '', fieldName: name, mimetype: mimeType, encoding };
      placement.upload.resolve({ ...about, size, createReadStream });
      this.#settle.resolve(placement.operations);
    };
    if (this.#size) {
      start(this.#size, () => content);
    } else {
      this.#spooled = spool(content, this.#options.spool);
      this.#spooled.then(
        ({ bytes, createReadStream }) => start({ min: bytes, max: bytes }, createReadStream),
        (error) => this.fail(error),
      );
    }
  }

  /** Bytes between the file's header and the closing boundary. Undefined where the client declares no length. */
  #sizeFromLength(): UploadedFile['size'] | undefined {
    if (this.#declaredBytes === undefined) return undefined;
    const max = this.#declaredBytes - this.#head.headerEnd - this.#closingBytes;
    if (max < 0) throw malformed();
    const min = Math.max(0, max - lastLineBreakBytes);
    if (min > this.#options.maxFileBytes) throw this.#fileTooLarge();
    return { min, max };
  }

  /** Unlike busboy's stream, the content ends only after the whole form was read without an error. */
  #contentOf(part: Readable): Readable {
    const content = new Readable({
      read: () => void part.resume(),
      destroy: (error, done) => {
        this.#giveUp();
        done(error);
      },
    });
    content.on('error', () => {}); // the reader of the file has listeners of its own
    part.on('data', (chunk: Buffer) => {
      if (this.#over) return;
      this.#received += chunk.length;
      if (this.#received > this.#options.maxFileBytes) this.fail(this.#fileTooLarge());
      // Other bytes stand in the place of the closing boundary: the service never gets them.
      else if (this.#size && this.#received > this.#size.max) this.fail(malformed());
      else if (!content.push(chunk)) part.pause();
    });
    return content;
  }

  #complete(): void {
    if (this.#over) return;
    if (this.#operationsText === undefined) throw badRequest('Field "operations" is missing.');
    if (!this.#placement) throw badRequest('Field "map" is missing.');
    if (!this.#file) throw badRequest(`File "${this.#placement.part}" of field "map" is missing.`);
    if (this.#size && this.#received < this.#size.min) throw badRequest('The form goes on after the file.');
    this.#over = true;
    this.#file.push(null);
  }

  /** Catches the errors of busboy, and of our handlers that busboy calls. */
  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.fail(error instanceof GraphQLError ? error : malformed(error));
    }
  }

  fail(error: unknown): void {
    this.#settle.reject(error);
    if (this.#over) return;
    this.#giveUp();
    this.#file?.destroy(withoutStatus(error));
  }

  /** From now on, the body is read and discarded. */
  #giveUp(): void {
    this.#over = true;
    this.#headBody.release();
    this.#parser?.destroy();
    this.#next();
  }

  get #maxBytesBeforeFile(): number {
    return 2 * this.#options.maxFieldBytes + maxHeaderBytes;
  }

  #fileTooLarge(): GraphQLError {
    return tooLarge(`The file is larger than ${this.#options.maxFileBytes} bytes (limits.uploads.fileBytes).`);
  }

  /** Some clients of phones write a file without a name as a field. */
  #withoutFilename({ part }: Placement): GraphQLError {
    return badRequest(`Part "${part}" is the file, and needs a "filename".`);
  }

  #fieldTooLarge(): GraphQLError {
    if (this.#placement) return this.#withoutFilename(this.#placement);
    return tooLarge(`A field is larger than ${this.#options.maxFieldBytes} bytes (limits.clients.bodyBytes).`);
  }
}

/** While the operation runs, an error belongs to the field that takes the file: the answer keeps its status. */
function withoutStatus(error: unknown): Error {
  if (!(error instanceof GraphQLError)) return error as Error;
  const { http: _, ...extensions } = error.extensions;
  return new GraphQLError(error.message, { extensions });
}
