import type { GraphQLError } from 'graphql';
import { codedError } from './errors.ts';
import type { KindMemory } from './loaders/kind-memory.ts';
import { Loaders } from './loaders/loaders.ts';
import type { CallerHeaders, CallInput, RestClient } from './rest/client.ts';
import type { Operation } from './rest/endpoints.ts';
import type { Json } from './rest/json.ts';

/** What outlives a request: the way to the service, and what may be remembered of it across callers. */
export interface Service {
  rest: RestClient;
  kinds: KindMemory;
  /** `connect`: the service has the known weaknesses of real deployments. */
  dialect: 'spec' | 'connect';
  maxPageSize: number;
  /** REST calls that one GraphQL operation may make. */
  maxUpstreamCalls: number;
}

/** One GraphQL request. Whatever it reads is private to its caller and gone with it. */
export class Context {
  readonly service: Service;
  readonly caller: CallerHeaders;
  /** Errors that stand beside data instead of in its place. */
  readonly besides: GraphQLError[] = [];
  readonly signal: AbortSignal | undefined;
  // Apollo gives resolvers a shallow copy of the context: what changes must be held by what both copies share.
  private readonly state: { loaders: Loaders; calls: number };

  constructor(service: Service, caller: CallerHeaders, signal?: AbortSignal) {
    this.service = service;
    this.caller = caller;
    this.signal = signal;
    this.state = { loaders: this.newLoaders(), calls: 0 };
  }

  get loaders(): Loaders {
    return this.state.loaders;
  }

  /** A write: what was read before it is forgotten, so that nothing older than its answer is ever shown with it. */
  async write(operation: Operation, input: CallInput): Promise<Json> {
    const answer = await this.call(operation, input);
    this.state.loaders = this.newLoaders();
    return answer;
  }

  private newLoaders(): Loaders {
    return new Loaders((operation, input) => this.call(operation, input), this.service.kinds);
  }

  private async call(operation: Operation, input: CallInput): Promise<Json> {
    const { maxUpstreamCalls, rest } = this.service;
    if (this.state.calls >= maxUpstreamCalls) {
      const message = `The operation needs more than ${maxUpstreamCalls} REST calls; ask for fewer rows or references.`;
      throw codedError('UPSTREAM_BUDGET_EXCEEDED', message);
    }
    this.state.calls += 1;
    const signal = this.signal && { signal: this.signal };
    return (await rest.call(operation, this.caller, { ...input, ...signal })) as Json;
  }
}
