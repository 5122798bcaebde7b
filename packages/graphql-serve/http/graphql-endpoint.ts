import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { Deadlines, type MemoryShare, onceAMinute, type Refusal } from '@gateway/base';
import type { DocumentStore, GraphQLHttpRequest } from '../operations/operation-request.ts';
import type { AnswerFormat, PartHost } from '../part.ts';
import type { CurrentRequest } from '../request/current-request.ts';
import type { Shared } from '../shared.ts';
import type { ClientBody } from '../uploads/client-body.ts';
import { type MultipartOptions, readMultipart } from '../uploads/multipart.ts';
import { averagedMs } from '../uploads/pace.ts';
import { SpoolSpace } from '../uploads/spool-space.ts';
import { TransferLimit } from '../uploads/transfer-limit.ts';
import { acceptedFormats } from './accepted-types.ts';
import {
  acceptedTypes,
  hasOperation,
  hasSmallBody,
  isGzip,
  isMultipart,
  methods,
  readBody,
  requireJson,
  requirePlain,
  requireSize,
  textOf,
} from './body.ts';
import { askForBody } from './expect-continue.ts';
import { unpack } from './gzip-body.ts';
import type { HttpServerOptions } from './listen.ts';
import { graphqlRequest, parseText, requireKey, requirePreflight } from './request.ts';
import { sendHead, sendMethodNotAllowed } from './response.ts';
import { graphqlPath, type Handler, type RunOperation } from './routes.ts';

export interface EndpointParts
  extends Pick<PartHost, 'settings' | 'graph' | 'callerOf' | 'operations' | 'logger' | 'traffic' | 'spans'> {
  run: RunOperation;
  documents: DocumentStore;
  /** Ways to answer in other media types. */
  formats: readonly AnswerFormat[];
  others: Shared['others'];
  /** For the bodies of requests whose operations do not run yet. */
  clientBodies: MemoryShare;
  spooledFiles: MemoryShare;
}

/** Reads requests of GraphQL over HTTP, and limits how many run. Throws an error that is the answer. */
export function graphqlEndpoint(parts: EndpointParts): Pick<HttpServerOptions, 'handle' | 'refusalOf'> {
  const { run, documents, formats, others, clientBodies, spooledFiles } = parts;
  const { settings, callerOf, operations, traffic, logger } = parts;
  const { keyHeader } = parts.graph;
  const { clients, uploads } = settings.limits;
  const askedBy = (request: IncomingMessage, body: unknown) => documents.resolve(graphqlRequest(request, body));
  const openSpans = parts.spans();
  const accepted = acceptedFormats(formats);
  const bodies = { deadlines: new Deadlines<ClientBody>(clients.bodyTimeoutMs), share: clientBodies };
  const forms: MultipartOptions = {
    keyHeader: keyHeader.toLowerCase(),
    maxFileBytes: uploads.fileBytes,
    maxFieldBytes: clients.bodyBytes,
    idleMs: uploads.idleTimeoutMs,
    minBytesPerSecond: uploads.minBytesPerSecond,
    averagedMs,
    bodies,
    spool: {
      space: new SpoolSpace(spooledFiles, uploads.fileBytes),
      onNoDisk: onceAMinute((err) => {
        logger.warn({ err, folder: tmpdir() }, 'The temporary folder takes no files: uploads wait in memory');
      }),
    },
    running: new TransferLimit(uploads.running),
  };

  return { handle, refusalOf };

  function handle(request: IncomingMessage, response: ServerResponse, current: CurrentRequest): ReturnType<Handler> {
    if (hasOperation(request.method)) {
      begin(request, current);
      const isForm = request.method === 'POST' && isMultipart(request);
      return isForm ? postForm(request, response, current) : readJson(request, response, current);
    }
    if (request.method === 'OPTIONS') {
      sendHead(response, 204, { allow: methods, ...acceptedTypes });
      return void response.end();
    }
    if (request.method !== 'GET') return sendMethodNotAllowed(response, methods, acceptedTypes);
    begin(request, current);
    accepted.require(request);
    return runInTurn(request, response, current);
  }

  function refusalOf(request: IncomingMessage, current: CurrentRequest): Refusal | undefined {
    const isOurs = request.url === graphqlPath && hasOperation(request.method);
    if (operations.isFree || !isOurs || !hasSmallBody(request)) return;
    return operations.refuse(callerOf(request, current).share);
  }

  function begin({ headers }: IncomingMessage, current: CurrentRequest): void {
    traffic.begin(current);
    current.span = openSpans?.begin(headers);
  }

  async function readJson(request: IncomingMessage, response: ServerResponse, current: CurrentRequest): Promise<void> {
    const isPacked = isGzip(request);
    requireJson(request);
    requireSize(request, clients.bodyBytes);
    // A client without Expect sends its body anyway. If the gateway reads the body first, the connection stays usable.
    if (request.headers.expect !== undefined) {
      accepted.require(request);
      askForBody(response);
    }
    const body = await readBody(request, clients.bodyBytes, bodies);
    const take = () => {
      const bytes = body.take();
      // From now on, the operation counts, and not the body.
      body.release();
      return isPacked ? unpack(bytes, clients.bodyBytes) : bytes;
    };
    try {
      accepted.require(request);
      return await runInTurn(request, response, current, take);
    } finally {
      body.release();
    }
  }

  async function runInTurn(
    request: IncomingMessage,
    response: ServerResponse,
    current: CurrentRequest,
    take?: () => Buffer | Promise<Buffer>,
  ): Promise<void> {
    const place = await operations.enter(response, callerOf(request, current).share);
    if (!place) return;
    let other: ReturnType<typeof accepted.formatFor>;
    let asked: GraphQLHttpRequest;
    try {
      const bytes = take?.();
      const body = bytes && parseText(textOf(bytes instanceof Promise ? await bytes : bytes));
      const read = others.untilRead?.();
      if (read) await read;
      // The client may have left meanwhile, and a gateway that has closed runs nothing more.
      if (request.socket.destroyed) return;
      asked = askedBy(request, body);
      other = accepted.formatFor(asked);
      if (!other) return await run(request, response, current, asked);
    } finally {
      operations.leave(place);
    }
    // A long answer takes a place for each of its parts.
    await other.format.run(request, response, current, asked, other.mediaType, run);
  }

  async function postForm(request: IncomingMessage, response: ServerResponse, current: CurrentRequest): Promise<void> {
    current.fileBytes = 0;
    requirePlain(request);
    accepted.require(request);
    requirePreflight(request);
    requireKey(request, keyHeader);
    let leave = () => {};
    const multipart = await readMultipart(request, forms, {
      begin: () => askForBody(response),
      // A file takes as long as its client needs to send it. Slow files must not block other operations.
      onRead: () => leave(),
    });
    try {
      const place = await operations.enter(response, callerOf(request, current).share);
      if (!place) return;
      leave = () => {
        leave = () => {};
        operations.leave(place);
      };
      // The client may have left while its form was read.
      if (!request.socket.destroyed) await run(request, response, current, askedBy(request, multipart.operations));
    } finally {
      leave();
      current.fileBytes = multipart.fileBytes();
      await multipart.finish();
    }
  }
}
