import { Memory, UpstreamError } from '@gateway/base';
import type { Contract, EndpointName } from '@gateway/contract';
import type { Dialect } from './dialect.ts';
import { lackingForMs } from './known-list.ts';

/** The service has no such endpoint. */
export class LackingEndpointError extends UpstreamError {
  constructor(rootField: string, why: string) {
    super('BAD_USER_INPUT', `\`${rootField}\`: ${why} Leave the field out.`);
  }
}

/** Knows which endpoints the service lacks, of those that not every service has. */
export class EndpointSupport {
  readonly #contract: Contract;
  readonly #dialect: Dialect;
  readonly #lacking = new Memory<LackingEndpointError>({ max: 100, ttlMs: lackingForMs });

  constructor(contract: Contract, dialect: Dialect) {
    this.#contract = contract;
    this.#dialect = dialect;
  }

  /** Undefined where the service may have the endpoint. */
  whyLacking(endpoint: EndpointName): LackingEndpointError | undefined {
    const { dialect, rootField } = this.#contract.endpoint(endpoint);
    const { known } = this.#dialect;
    if (!dialect || !known) return undefined;
    if (known === dialect) return this.#lacking.get(endpoint);
    const why = `The dialect \`${known}\` of the service (UPSTREAM_DIALECT) has no endpoint for this field.`;
    return new LackingEndpointError(rootField, why);
  }

  /** Takes an answer: a service without the endpoint has no such path, or other methods on it. */
  hear(endpoint: EndpointName, { status, isById, json }: { status: number; isById: boolean; json: unknown }): void {
    const { dialect, rootField } = this.#contract.endpoint(endpoint);
    if (!dialect) return;
    // Where there is the path, the 404 of an unknown id is JSON.
    const isUnknownPath = status === 404 && (!isById || json === undefined);
    if (status !== 405 && !isUnknownPath) return;
    const error = new LackingEndpointError(rootField, 'The service is too old to have an endpoint for this field.');
    this.#lacking.set(endpoint, error);
    throw error;
  }
}
