import { type Json, UpstreamError, type WriteRecords } from '@gateway/base';
import type { EndpointName } from '@gateway/contract';
import {
  type CallOrigin,
  isRow,
  newRequest,
  type Scope,
  type Upstream,
  type WriteInput,
  writeNotSent,
} from '@gateway/upstream';
import { ofAnotherCall, type Reader, type ReadObserver } from '../load/reader.ts';

type WriteContent = Pick<WriteInput, 'body' | 'file'>;

interface WriteOptions extends Pick<WriteInput, 'id'> {
  /** The name of the Mutation field in the answer. */
  field: string;
  /** Runs right before a write that is sent. */
  check?: (() => Promise<void>) | undefined;
}

/** The request that writes. */
interface WritingRequest {
  readonly service: { readonly upstream: Upstream };
  readonly scope: Scope;
  readonly reader: Reader;
  readonly once: WriteRecords | undefined;
  readonly trace: ReadObserver | undefined;
  /** Lets no answer show anything older than now. */
  renewLoaders(): void;
}

/** The writes of one request, as its caller, within its time and its calls. */
export class Writes {
  /** A write is on its way, or was. */
  hasSent = false;
  readonly #request: WritingRequest;

  constructor(request: WritingRequest) {
    this.#request = request;
  }

  /**
   * Returns a function that makes a write, or replays its answer under the request's Idempotency-Key.
   * @throws UpstreamError NOT_FOUND for an id that the service cannot have.
   */
  prepare(endpoint: EndpointName, { id, ...options }: WriteOptions): (content: WriteContent) => Promise<Json> {
    const path = this.#request.service.upstream.paths.of(endpoint, { id });
    return (content) => this.#write(endpoint, path, { id, ...content }, options);
  }

  /** The answer of the Mutation field is recorded under the request's Idempotency-Key, so that nothing will be sent. */
  async isRecorded(field: string): Promise<boolean> {
    const { once, scope } = this.#request;
    return (await once?.isRecorded(field, () => scope.reason !== undefined)) ?? false;
  }

  async #write(endpoint: EndpointName, path: string, input: WriteInput, { field, check }: WriteOptions): Promise<Json> {
    const { service, scope, reader, once } = this.#request;
    const origin: CallOrigin = { reason: 'write', fields: () => [endpoint] };
    const send = async (input: WriteInput) => {
      await check?.();
      return this.#send(endpoint, path, input, origin);
    };
    const isOver = () => scope.reason !== undefined;
    const invalidate = () => service.upstream.invalidateEverywhere(reader.caller.keyDigest, endpoint);
    // A file takes as long as its client needs to send it.
    if (input.file) scope.stopClock();
    try {
      const answer = await (once ? once.write(field, input, { send, isOver, invalidate }) : send(input));
      if (once?.replayed.includes(field)) {
        reader.budget.releaseWrite();
        reader.save({ endpoint, id: input.id, origin, by: 'replay' }, answer);
      }
      this.#request.renewLoaders();
      return answer;
    } finally {
      if (input.file) scope.startClock();
    }
  }

  async #send(endpoint: EndpointName, path: string, write: WriteInput, origin: CallOrigin): Promise<Json> {
    const { service, scope: signal, reader, trace: observer } = this.#request;
    const { budget, caller } = reader;
    if (!service.upstream.dialect.known) await reader.dialect(origin.fields).catch(() => {});
    if (reader.noDialect) throw ofAnotherCall(reader.noDialect, 'This write was not sent.');
    if (signal.reason) throw writeNotSent(signal.reason);
    budget.takeWrite();
    const options = { caller, endpoint, path, subject: write, origin, signal, budget, write, observer };
    this.hasSent = true;
    const { data, status } = await service.upstream.write(newRequest(options));
    const { creates, kind } = service.upstream.contract.endpoint(endpoint);
    if (creates && status === 200 && isRow(data)) {
      const message = `A ${kind} like this exists already (\`reference\` names it). The service made none, and changed nothing.`;
      throw new UpstreamError('CONFLICT', message, { status, existing: data });
    }
    return data;
  }
}
