import type { ContractData, Union } from '../data.ts';
import type { Endpoint as GatewayEndpoint } from '../endpoint.ts';
import type { Reference } from '../reference.ts';
import type { IdProperties } from './id-properties.ts';
import type { Dialects, OpenApi, Operation, Parameter, Schema, WayBack, Wire } from './openapi.ts';

export type Properties = Record<string, Schema>;

/** An endpoint as the gateway gets it, and what else the generator reads of the document. */
export interface Endpoint
  extends Omit<GatewayEndpoint, 'filters' | 'filterChecks' | 'lacks' | 'file' | 'fileTypes' | 'ifUnchanged'> {
  /** Place in the document, such as `paths./authors/.get`. */
  at: string;
  name: string;
  description: string;
  /** Parameter of the path of what is no list. */
  id: Parameter | undefined;
  /** Query parameters but for those of pages. A list has those of its path here too. */
  filters: Parameter[];
  /** Schema of a JSON body, and the type of the input that stands for it. */
  body: { schema: string; input: string; description: string } | undefined;
  /** Parts of a multipart body, with the media types that they may have. */
  files: [name: string, schema: Schema, types: string[] | undefined][];
  /** Pattern such as `2XX`. */
  status: string;
  responseDescription: string;
  isDeprecated: boolean | undefined;
  /** Fields of other types that show rows of the list. */
  waysBack: readonly WayBack[];
  invalidates: readonly string[];
  /** Clients may say how they have read the object of a write: the time in this property. `true`: its values. */
  ifUnchanged: Operation['x-if-unchanged'];
  /** Values of the keys that parts add. */
  keys: Readonly<Record<string, unknown>>;
}

/** A type of the graph that shows objects of the service. */
export interface ResourceType {
  name: string;
  schemas: string[];
  /** Properties of all its schemas. If two have a property, the form of the first counts. */
  properties: Properties;
  references: Record<string, Reference>;
  /** Property → type of the objects that it embeds. */
  embedded: Record<string, string>;
}

export interface Contract {
  endpoints: Endpoint[];
  types: Map<string, ResourceType>;
  /** Input types of the graph → their schemas. */
  inputs: Map<string, string>;
  /** Schemas with `oneOf`, by name. */
  unions: Map<string, Union>;
  schemas: OpenApi['components']['schemas'];
  /** Properties that the graph names after their objects. */
  idProperties: IdProperties;
  /** How the answers of a dialect differ. */
  dialects: Dialects;
  wire: Wire;
  /** The header of the API key, and the claims of each token that real services can read. */
  key: ContractData['key'];
  /** The security scheme with the keys of parts. */
  schemeKeys: Readonly<Record<string, unknown>>;
}

/** The endpoint has no filter in its path, without which a list has no rows. */
export function isWhole({ filters }: Pick<Endpoint, 'filters'>): boolean {
  return filters.every((filter) => filter.in === 'query');
}

/** The argument with what the object of a write must still be: a time (`if_updated_on`), or values (`if_unchanged`). */
export function conditionOf({ ifUnchanged }: Pick<Endpoint, 'ifUnchanged'>) {
  if (ifUnchanged === undefined) return undefined;
  return ifUnchanged === true ? { argument: 'if_unchanged' } : { argument: `if_${ifUnchanged}`, property: ifUnchanged };
}

/** The kinds that a target may be: those of a union, or itself. */
export function kindsOf({ unions }: Contract, target?: string): readonly string[] {
  return unions.get(target ?? '')?.kinds ?? [target ?? []].flat();
}

/** The argument of the graph for a parameter. */
export function argumentOf({ name, 'x-argument': argument }: Parameter, otherwise = name): string {
  return argument ?? otherwise;
}
