import type { FieldError, Json } from '@gateway/base';
import type { Contract, EndpointName } from '@gateway/contract';
import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import type { RequestContext } from './context.ts';

/**
 * Finds mistakes in the input of a write, or in its file. Real deployments of the service fail on them, or do not store the
 * input. The gateway refuses them before it sends anything.
 */
export type Guard<Input> = (input: Input, context: RequestContext) => FieldError[] | Promise<FieldError[]>;

/** Finds the probable reason why the service failed on a write. Undefined where the error says it. */
export type Explain<Arguments> = (
  error: GraphQLError,
  args: Arguments,
  context: RequestContext,
) => Promise<GraphQLError | undefined>;

/** How the service stores values of inputs that it does not store as they are sent. */
export interface StoredValues {
  /** By field of an input: the stored value is the one that was sent, in another spelling. */
  readonly spellings: Readonly<Record<string, (sent: unknown, stored: unknown) => boolean>>;
  /** Further values of the stored object that show the field. */
  readonly others: (field: string, stored: Json) => readonly unknown[];
}

/** One service behind the gateway: its contract, and code for all that the contract cannot say. */
export interface App {
  readonly contract: Contract;
  /** The SDL of the whole schema, as `npm run codegen` writes it. A bundle may have it parsed. */
  readonly typeDefs: string | DocumentNode;
  /** Resolvers by type and field. They replace those that follow from the contract, and read what the plan has loaded. */
  readonly fields?: readonly Readonly<Record<string, object>>[];
  readonly guardOf?: (endpoint: EndpointName) => Guard<never>;
  readonly explain?: Readonly<Record<EndpointName, Explain<never>>>;
  readonly stored?: StoredValues;
  /** Values of the query parameters `x-sends` by which settings replace those of the contract. An empty text sends none. */
  readonly sends?: (settings: never) => Readonly<Record<string, string | undefined>>;
  /** Gets each answer of a write, before the reads for its selection. */
  readonly learn?: (context: RequestContext, answer: Json) => void;
}

/** The app that a schema serves. */
export function appOf({ extensions }: GraphQLSchema): App {
  return extensions.app as App;
}
