import { hash } from 'node:crypto';
import { badRequest, counter, gauge, type Metric, onceAMinute, type ValidDocument } from '@gateway/base';
import {
  askedByText,
  askedDocument,
  type DocumentCheck,
  type DocumentStore,
  type GraphQLHttpRequest,
  type OpenPart,
  type PartHost,
  refusalStatus,
} from '@gateway/graphql-serve';
import type { Logger } from 'pino';
import { readManifests } from './manifest-files.ts';
import { bareId, type DocumentsById, namesIn, tokensOf } from './trusted-document.ts';

export interface TrustedDocumentSettings {
  /** Manifests: files, or patterns of their names. */
  files: readonly string[];
  mode: 'off' | 'log' | 'enforce';
}

/**
 * Reads the manifests when the gateway starts, and anew on its reload.
 * @throws Error for the first bad manifest: names the file, and the operation that fits neither schema nor limits.
 */
export function trustedDocuments(settings: TrustedDocumentSettings): OpenPart {
  return async (host) => {
    const documents = new TrustedDocuments(settings, host);
    await documents.read();
    return { documents, metrics: documents.metrics, reload: () => documents.reload() };
  };
}

/** The most documents that get a line in the log because they are not trusted. Clients can invent any number. */
const maxLogged = 1_000;
/** An id that says nothing of a client. */
const digest = /^[\da-f]{32,128}$/i;
/** Characters of the name of an operation in the log: the name is the client's own text. */
const maxNameLength = 100;

/**
 * The documents of the gateway's apps, which clients may ask for by id. Any other document runs (mode `off`), runs with a
 * line in the log (`log`), or is refused (`enforce`).
 */
class TrustedDocuments implements DocumentStore {
  readonly #requests = counter('documents_total', 'Requests by how they ask for a document, and its being trusted.', [
    'asked_by',
    'trusted',
  ]);
  readonly #reads = counter('manifests_read_total', 'Times that the gateway read its manifests, by result.', [
    'result',
  ]);
  readonly #files: readonly string[];
  readonly #check: DocumentCheck;
  readonly #mode: TrustedDocumentSettings['mode'];
  readonly #maxTokens: number;
  readonly #logger: Logger;
  readonly #cachedDocument: PartHost['cachedDocument'];
  #byId: DocumentsById = new Map();
  #isBad = false;
  /** The last reading of the manifests. */
  #reading: Promise<void> = Promise.resolve();
  /** Ids by the tokens of their documents. */
  #ids: ReadonlyMap<string | undefined, string> = new Map();
  /** Ids of cached documents. Null for a document that is not trusted. */
  #idsOfCached = new WeakMap<ValidDocument, string | null>();
  readonly #logged = new Set<string>();
  readonly #logRefused: (document: () => string) => void;

  constructor({ files, mode }: TrustedDocumentSettings, { graph, settings, cachedDocument, logger }: PartHost) {
    const limits = settings.limits.documents;
    this.#files = files;
    this.#check = { graph, limits, introspectionEnabled: settings.graphql.introspection };
    this.#mode = mode;
    this.#maxTokens = limits.tokens;
    this.#cachedDocument = cachedDocument;
    this.#logger = logger;
    this.#logRefused = onceAMinute((document) => {
      logger.warn(
        { document: document() },
        'A document that no manifest has was refused: give its manifest to the gateway',
      );
    });
  }

  /** Reads the manifests anew. Where one is bad, the documents of before stay in use. */
  reload(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readAnew());
    return this.#reading;
  }

  async #readAnew(): Promise<void> {
    try {
      await this.read();
      this.#isBad = false;
      this.#logger.info({ documents: this.#byId.size }, 'The manifests are read anew');
    } catch (error) {
      this.#isBad = true;
      this.#reads.inc({ result: 'bad' });
      this.#logger.error(
        { reason: (error as Error).message },
        'A manifest is bad: the documents of before stay in use',
      );
    }
  }

  async read(): Promise<void> {
    // The manifests of several versions of an app share most documents.
    const known = new Map(Array.from(this.#byId.values(), (document) => [document.text, document]));
    const check = { ...this.#check, known };
    const documents = await readManifests(this.#files, check).catch((error: Error) => {
      throw new Error(`TRUSTED_DOCUMENTS: ${error.message}`);
    });
    this.#byId = documents;
    this.#ids = new Map(Array.from(documents, ([id, { tokens }]) => [tokens, id]));
    this.#idsOfCached = new WeakMap();
    this.#reads.inc({ result: 'good' });
  }

  get metrics(): Metric[] {
    return [
      this.#requests,
      this.#reads,
      gauge(
        'manifests_bad',
        '1 while the manifests that the gateway read last are bad, so that earlier documents count.',
        () => Number(this.#isBad),
        'max',
      ),
      gauge('trusted_documents', 'Documents that clients may name by id.', () => this.#byId.size, 'max'),
    ];
  }

  /** @throws BAD_REQUEST for an id that is not known, and in mode `enforce` for a text that is not trusted. */
  resolve(request: GraphQLHttpRequest): GraphQLHttpRequest {
    const { text, id, isApollos } = askedDocument(request);
    if (text !== undefined) {
      if (this.#mode !== 'off') this.#checkText(text, request);
      // After PersistedQueryNotFound a client sends both: the text is enough.
      const isBoth = isApollos && this.#byId.size > 0;
      return isBoth ? askedByText(request, text) : request;
    }
    // Apollo Server answers in the words after which clients send the text.
    if (id === undefined || (isApollos && this.#byId.size === 0)) return request;
    const known = this.#byId.get(bareId(id));
    this.#requests.inc({ asked_by: 'id', trusted: known === undefined ? 'no' : 'yes' });
    if (known === undefined) {
      if (this.#mode === 'enforce')
        this.#logRefused(() => (digest.test(bareId(id)) ? bareId(id) : 'an id of another form'));
      throw refusal(this.#unknownId(isApollos), request);
    }
    return askedByText(request, known.text);
  }

  idOf(document: ValidDocument): string | undefined {
    const cached = this.#idsOfCached.get(document);
    const text = document.node.loc?.source.body;
    if (cached !== undefined || text === undefined || this.#ids.size === 0) return cached ?? undefined;
    const tokens = tokensOf(text, this.#maxTokens);
    return tokens === undefined ? undefined : this.#ids.get(tokens);
  }

  #checkText(text: string, request: GraphQLHttpRequest): void {
    const isTrusted = this.#isTrusted(text);
    this.#requests.inc({ asked_by: 'text', trusted: isTrusted ? 'yes' : 'no' });
    if (isTrusted || this.#mode !== 'enforce') return;
    this.#logRefused(() => hash('sha256', text));
    throw refusal(
      'Only trusted documents are answered here, and this is none: give its manifest to the gateway (TRUSTED_DOCUMENTS).',
      request,
    );
  }

  #isTrusted(text: string): boolean {
    const document = this.#cachedDocument(text);
    const before = document && this.#idsOfCached.get(document);
    if (before !== undefined) return before !== null;
    const tokens = tokensOf(text, this.#maxTokens);
    const id = tokens === undefined ? null : (this.#ids.get(tokens) ?? null);
    if (document) this.#idsOfCached.set(document, id);
    if (id === null && tokens !== undefined && this.#mode === 'log') this.#log(text, tokens);
    return id !== null;
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
  return badRequest(message, refusalStatus(400, headers.accept, { isWellFormed: true }));
}
