import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type DocumentNode, Kind, Lexer, parse, Source, TokenKind } from 'graphql';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { counter } from '../../lib/metrics.ts';
import { codedError } from '../errors/codes.ts';
import { refusalStatus } from '../errors/status.ts';
import type { ValidDocument } from '../executor/operation.ts';
import type { GraphQLHttpRequest } from '../http-request.ts';
import { checkDocument, type DocumentCheck } from '../limits/document-check.ts';
import { requireFewLines } from '../limits/document-limits.ts';
import type { OperationCache } from '../operation-cache.ts';
import { askedByText, askedDocument } from './document-request.ts';
import { filesOf, readManifest } from './manifests.ts';

type Settings = Config['graphql']['trustedDocuments'];

export interface TrustedDocumentsOptions extends DocumentCheck {
  operations: OperationCache;
  logger: Logger;
}

export interface Resolved {
  /** Has the text of its document, if the gateway knows it. */
  asked: GraphQLHttpRequest;
  isById: boolean;
}

/** The most documents that get a line in the log because they are not trusted. Clients can invent any number. */
const maxLogged = 1_000;
/** Characters of the name of an operation in the log: the name is the client's own text. */
const maxNameLength = 100;

/**
 * The documents of the gateway's apps, which clients may ask for by id. Any other document runs (mode `off`), runs with a
 * line in the log (`log`), or is refused (`enforce`).
 */
export class TrustedDocuments {
  readonly requests = counter('documents_total', 'Requests by how they ask for a document, and its being trusted.', [
    'asked_by',
    'trusted',
  ]);
  readonly #mode: Settings['mode'];
  readonly #maxTokens: number;
  readonly #logger: Logger;
  readonly #byId: ReadonlyMap<string, string>;
  /** Tokens of the trusted documents: clients print one document in several ways. */
  readonly #tokens: ReadonlySet<string | undefined>;
  readonly #operations: OperationCache;
  /** Whether a cached document is trusted. */
  readonly #verdicts = new WeakMap<ValidDocument, boolean>();
  readonly #logged = new Set<string>();

  /** @throws Error that names the file, and the operation that fits neither the schema nor the limits. */
  constructor({ files, mode }: Settings, { operations, logger, ...check }: TrustedDocumentsOptions) {
    const maxTokens = check.limits.documents.tokens;
    this.#mode = mode;
    this.#maxTokens = maxTokens;
    this.#operations = operations;
    this.#logger = logger;
    this.#byId = readDocuments(files, check);
    this.#tokens = new Set([...this.#byId.values()].map((text) => tokensOf(text, maxTokens)));
  }

  /**
   * Looks up what is asked for by id.
   * @throws BAD_REQUEST for an id that is not known, and in mode `enforce` for a text that is not trusted.
   */
  resolve(request: GraphQLHttpRequest): Resolved {
    const { text, id, isApollos } = askedDocument(request);
    if (text !== undefined) {
      if (this.#mode !== 'off') this.#checkText(text, request);
      // After PersistedQueryNotFound a client sends both: the text is enough.
      const isBoth = isApollos && this.#byId.size > 0;
      return { asked: isBoth ? askedByText(request, text) : request, isById: false };
    }
    // Apollo Server answers in the words after which clients send the text.
    if (id === undefined || (isApollos && this.#byId.size === 0)) return { asked: request, isById: false };
    const known = this.#byId.get(bare(id));
    this.requests.inc({ asked_by: 'id', trusted: known === undefined ? 'no' : 'yes' });
    if (known === undefined) throw refusal(this.#unknownId(isApollos), request);
    return { asked: askedByText(request, known), isById: true };
  }

  #checkText(text: string, request: GraphQLHttpRequest): void {
    const isTrusted = this.#isTrusted(text);
    this.requests.inc({ asked_by: 'text', trusted: isTrusted ? 'yes' : 'no' });
    if (isTrusted || this.#mode !== 'enforce') return;
    throw refusal(
      'Only trusted documents are answered here, and this is none: give its manifest to the gateway (TRUSTED_DOCUMENTS).',
      request,
    );
  }

  #isTrusted(text: string): boolean {
    const document = this.#operations.document(text);
    const before = document && this.#verdicts.get(document);
    if (before !== undefined) return before;
    const tokens = tokensOf(text, this.#maxTokens);
    const isTrusted = tokens !== undefined && this.#tokens.has(tokens);
    if (document) this.#verdicts.set(document, isTrusted);
    if (!isTrusted && tokens !== undefined && this.#mode === 'log') this.#log(text, tokens);
    return isTrusted;
  }

  /** Logs a document once. A text that is not GraphQL fails in every mode, and gets no line. */
  #log(text: string, tokens: string): void {
    const known = hash('sha256', tokens);
    if (this.#logged.size >= maxLogged || this.#logged.has(known)) return;
    const operation = namesIn(text, this.#maxTokens);
    if (operation === undefined) return;
    this.#logged.add(known);
    const line = { document: hash('sha256', text), operation: operation.slice(0, maxNameLength) };
    this.#logger.warn(line, 'A document is not trusted: TRUSTED_DOCUMENTS_MODE=enforce refuses it');
  }

  #unknownId(isApollos: boolean): string {
    if (this.#byId.size === 0) return 'No documents are known by ids here (TRUSTED_DOCUMENTS): send the query itself.';
    // After this word of Apollo's protocol the client sends the text.
    if (isApollos && this.#mode !== 'enforce') return 'PersistedQueryNotFound';
    return 'No document has this id: give its manifest to the gateway (TRUSTED_DOCUMENTS) before the app asks for it.';
  }
}

function refusal(message: string, { headers }: GraphQLHttpRequest) {
  return codedError('BAD_REQUEST', message, {
    http: { status: refusalStatus(400, headers.accept, { isWellFormed: true }) },
  });
}

/** Texts by their ids. */
function readDocuments(patterns: readonly string[], check: DocumentCheck): Map<string, string> {
  const texts = new Map<string, string>();
  try {
    for (const file of new Set(patterns.flatMap(filesOf))) addDocuments(file, texts, check);
    return texts;
  } catch (error) {
    throw new Error(`TRUSTED_DOCUMENTS: ${(error as Error).message}`);
  }
}

function addDocuments(file: string, texts: Map<string, string>, check: DocumentCheck): void {
  let place = file;
  try {
    for (const { id, text } of readManifest(readFileSync(file, 'utf8'))) {
      place = `${file}: ${id}`;
      const document = parse(text);
      place = `${file}: ${namesOf(document) || id}`;
      requireFewLines(text, check.limits.documents.tokens);
      checkDocument(document, check);
      if ((texts.get(bare(id)) ?? text) !== text) throw new Error('Another document has the same id.');
      texts.set(bare(id), text);
    }
  } catch (error) {
    throw new Error(`${place}: ${(error as Error).message}`);
  }
}

/** Some tools put the name of the digest before an id. */
function bare(id: string): string {
  return id.replace(/^sha256:/, '');
}

/**
 * The tokens of a text, joined by one space. Undefined for a text with too many tokens, or with none that GraphQL knows.
 * To read all tokens is the longest step before a text is refused.
 */
function tokensOf(text: string, maxTokens: number): string | undefined {
  try {
    requireFewLines(text, maxTokens);
    const lexer = new Lexer(new Source(text));
    const tokens: string[] = [];
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      if (tokens.length === maxTokens) return undefined;
      tokens.push(text.slice(token.start, token.end));
    }
    return tokens.join(' ');
  } catch {
    return undefined;
  }
}

/** Undefined for a text that is not GraphQL, or that has too many tokens. */
function namesIn(text: string, maxTokens: number): string | undefined {
  try {
    return namesOf(parse(text, { maxTokens, noLocation: true }));
  } catch {
    return undefined;
  }
}

/** The names of its operations. */
function namesOf({ definitions }: DocumentNode): string {
  const names = definitions.flatMap((node) => (node.kind === Kind.OPERATION_DEFINITION ? [node.name?.value] : []));
  return names.filter((name) => name !== undefined).join(', ');
}
