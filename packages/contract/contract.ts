import { isObject, type Json, madeOnce } from '@gateway/base';
import type { GraphQLSchema } from 'graphql';
import { answerIdsIn, type ReadIds } from './answer-ids.ts';
import type { ContractData, KindData, Union, WayBack } from './data.ts';
import type { DialectName, DialectTraits } from './dialect-traits.ts';
import type { Endpoint, EndpointName, ListEndpointName } from './endpoint.ts';
import type { Kind, Reference, Target } from './reference.ts';
import { TypeTables } from './type-tables.ts';
import { Wire } from './wire.ts';

/** The contract with a service, and what follows from it for each endpoint and type. */
export class Contract {
  readonly data: ContractData;
  readonly wire: Wire;
  /** The header of the API key, as Node names it. */
  readonly keyHeader: string;
  readonly endpointNames: readonly EndpointName[];
  /** The cheapest read. Its answer shows whether the service accepts a key, and what dialect it speaks. */
  readonly keyProof: { readonly endpoint: EndpointName; readonly subject: { query: Record<string, number> } };
  /** Fields of inputs that are another form of a property, with the property. */
  readonly otherForms: Readonly<Record<string, string>>;
  /** Types that a reference can lead to. */
  readonly referable: ReadonlySet<string>;
  // Maps, because clients send names of types, such as `constructor`.
  readonly #kinds: ReadonlyMap<string, KindData>;
  readonly #unions: ReadonlyMap<string, Union>;
  readonly #readIds: ReadIds | undefined;
  /** Patterns of ids by kind and union, each once. */
  readonly #idPatterns: ReadonlyMap<Target, readonly RegExp[]>;
  readonly #allIdPatterns: readonly RegExp[];
  readonly #tables = new Map<string, TypeTables>();
  readonly #newTables = (type: string) => new TypeTables(type, this.data, (other) => this.tables(other));

  constructor(data: ContractData) {
    const { endpoints, kinds, references, unions } = data;
    this.data = data;
    this.wire = new Wire(data.wire, data.dialects);
    this.keyHeader = data.key.header.toLowerCase();
    this.#kinds = new Map(Object.entries(kinds));
    this.#unions = new Map(Object.entries(unions));
    this.endpointNames = Object.keys(endpoints);
    const proof = this.endpointNames.find((name) => endpoints[name]?.provesKey) as EndpointName;
    this.keyProof = { endpoint: proof, subject: { query: { limit: 1, offset: 0 } } };
    this.otherForms = Object.assign({}, ...Object.values(endpoints).map((endpoint) => endpoint.otherForms));
    this.referable = new Set([
      ...Object.values(unions).flatMap((union) => union.kinds),
      ...Object.values(references).flatMap((fields) => Object.values(fields).map(({ to }) => to)),
    ]);
    this.#readIds = answerIdsIn(data);
    const patternsOf = (names: readonly string[]) =>
      [...new Set(names.map((name) => kinds[name]?.id ?? ''))].map((pattern) => new RegExp(pattern));
    this.#idPatterns = new Map([
      ...Object.keys(kinds).map((kind) => [kind, patternsOf([kind])] as const),
      ...Object.values(unions).map((union) => [union.name, patternsOf(union.kinds)] as const),
    ]);
    this.#allIdPatterns = patternsOf(Object.keys(kinds));
  }

  /** The dialect of this name; otherwise that which is supposed until answers show another. */
  dialect(name?: DialectName): DialectTraits {
    const { dialects } = this.data;
    return dialects.find((dialect) => dialect.name === name) ?? (dialects[0] as DialectTraits);
  }

  hasEndpoint(name: string): name is EndpointName {
    return Object.hasOwn(this.data.endpoints, name);
  }

  endpoint(name: EndpointName): Endpoint {
    return this.data.endpoints[name] as Endpoint;
  }

  /** The documented part of a body, in the words of the gateway. Ids are texts. `total`: the header with the count. */
  dataOf(endpoint: EndpointName, body: unknown, total?: string): unknown {
    const { does, response, unpaged } = this.endpoint(endpoint);
    const data = this.wire.dataOf(body, does === 'list', total);
    if (unpaged && isObject(data) && Array.isArray(data.results)) data.count ??= data.results.length;
    this.#readIds?.(data, response);
    return data;
  }

  /** The id in the path of a list below another object. Undefined for other endpoints. */
  idInPath(endpoint: EndpointName, query: Readonly<Record<string, unknown>> | undefined): string | undefined {
    const { path, filterChecks = {} } = this.endpoint(endpoint);
    if (!query || !path.includes('{')) return undefined;
    const [name] = Object.entries(filterChecks).find(([, { inPath }]) => inPath !== undefined) ?? [];
    return name === undefined ? undefined : String(query[name]);
  }

  /** The service may have an object of this id. Without a target, of any kind. */
  isPossibleId(id: string, target?: Target): boolean {
    const patterns = (target !== undefined && this.#idPatterns.get(target)) || this.#allIdPatterns;
    return patterns.some((pattern) => pattern.test(id));
  }

  /** The service takes this number in place of an id, and answers the id. */
  isInternalNumber(id: string): boolean {
    return this.data.wire.internalNumbers === true && /^\d+$/.test(id);
  }

  /** The id of an object, and the other properties by which inputs may name it. */
  namesOf(object: Json): unknown[] {
    const { otherIds = [] } = this.data.wire;
    return [object.id, ...otherIds.map((property) => object[property])];
  }

  /** Objects in a field of this name have the id of the row around them in the property. */
  isIdOfRow(field: string, property: string): boolean {
    return Object.values(this.data.inherited).some((fields) => fields[field]?.[property] === 'id');
  }

  /** The shape of the rows in the shape of a page. */
  rowShape(page: string): string {
    return (this.data.shapes[page]?.results ?? '').replace('[]', '');
  }

  /** The references of a type, by field. */
  references(type: string): Readonly<Record<string, Reference>> {
    return this.data.references[type] ?? none;
  }

  /** The tables for the objects of a type. */
  tables(type: string): TypeTables {
    return madeOnce(this.#tables, type, this.#newTables);
  }

  /** The union of this name. */
  union(target: string): Union | undefined {
    return this.#unions.get(target);
  }

  /** The id among those of the union of the target: objects of two unions may have one id. */
  idInUnion(target: string, id: string): string {
    return this.#unions.size < 2 ? id : `${this.tables(target).union?.name} ${id}`;
  }

  /** The union that a kind is one of. */
  unionWith(kind: string): Union | undefined {
    const { union } = this.tables(kind);
    return union?.kinds.includes(kind) ? union : undefined;
  }

  /** The service gives this kind by id. */
  isById(target: Target): boolean {
    return this.#kinds.get(target)?.get !== undefined;
  }

  /** Every service gives this kind by id. */
  isAlwaysById(target: Target): boolean {
    return this.isById(target) && this.endpoint(this.getEndpoint(target)).dialect === undefined;
  }

  /** The service gives this kind by id, and as whole rows of a list. */
  isListed(target: Target): boolean {
    const { get, list } = this.#kinds.get(target) ?? {};
    return get !== undefined && list !== undefined && !this.endpoint(list).lacks;
  }

  /** Properties that rows of this kind may lack, in one list or another. */
  lackedOf(kind: string): readonly string[] {
    return Object.values(this.data.endpoints).flatMap((each) => (each.kind === kind ? (each.lacks ?? []) : []));
  }

  /** The service gives this kind only as rows of a list. */
  isListOnly(target: Target): boolean {
    const { get, list } = this.#kinds.get(target) ?? {};
    return get === undefined && list !== undefined;
  }

  getEndpoint(kind: Kind): EndpointName {
    return this.#kinds.get(kind)?.get as EndpointName;
  }

  listEndpoint(kind: Kind): ListEndpointName {
    return this.#kinds.get(kind)?.list as ListEndpointName;
  }

  /** Type of the graph that holds the rows of a way back. */
  rowsTypeOf({ list }: WayBack): string {
    return `${this.endpoint(list).kind}Rows`;
  }
}

const none = {};

/** The contract that a schema shows. */
export function contractOf({ extensions }: GraphQLSchema): Contract {
  return extensions.contract as Contract;
}
