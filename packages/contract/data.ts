import type { DialectName, DialectTraits } from './dialect-traits.ts';
import type { Endpoint, EndpointName, ListEndpointName } from './endpoint.ts';
import type { Reference } from './reference.ts';

/** By type and field. */
type Table<Value> = Readonly<Record<string, Readonly<Record<string, Value>>>>;

/**
 * The words of the service for pages. The first row is asked for by `offset`, or the page by its `number`. A service
 * without pages has no `limit`.
 */
interface PageNames {
  count: string;
  /** The header with the count, in lower case. */
  countHeader?: string;
  rows: string;
  limit?: string;
  offset?: string;
  number?: string;
  /** The number of the first page. */
  first?: 0 | 1;
  /** Rows of the largest page. The gateway learns it where it is not declared. */
  largest?: number;
}

/** The words of the service for what each answer has. */
export interface WireNames {
  page: PageNames;
  /** Names of messages about the whole body, in place of the name of a field. */
  wholeBody: readonly string[];
  /** The name of a code beside a text about the whole body: `code` by default. */
  errorCode?: string;
  /** Names in an object that is the message about one field: its path and its text. `body` is a first step without a meaning. */
  fieldErrors?: { path: string; message: string; body?: string };
  /** Words by which a refusal says more than its status, in lower case. */
  refusals?: {
    /** Codes and words of a 403 that refuses the key. Others say that its owner lacks a right. */
    keyCodes?: readonly string[];
    keyWords?: readonly string[];
    /** Words of a service that takes the id of an object, and of one that takes the object. */
    idWords?: readonly string[];
    objectWords?: readonly string[];
  };
  /** The service takes its internal numbers in place of ids, and answers the ids. */
  internalNumbers?: true;
  /** Properties of objects by which inputs may name them, in place of the id. */
  otherIds?: readonly string[];
}

/** An id of one of several kinds, which the reference does not name. */
export interface Union {
  name: string;
  /** The first is asked first for an id that nothing is known of. */
  kinds: readonly string[];
  /** Type of the graph for an object whose kind stays unknown. */
  unknown: string;
  /** Properties of objects that show the kinds of ids in them, by the type of the object. */
  evidence: Readonly<Record<string, readonly Evidence[]>>;
  /** Rows name the kind, because objects of two kinds may have one id. */
  sharesIds?: true;
}

/** A property of an object shows the kind of the id that it holds. */
export interface Evidence {
  field: string;
  /** The kind. */
  is: string;
  /** Counts where this property is a list with items, or has the value of `equals`. */
  where?: string;
  equals?: string;
  /** Is no proof. `alone`: counts while the request has seen it of no other id. */
  probable?: 'each' | 'alone';
}

/** A field that shows the rows of a list that refer to its object. */
export interface WayBack {
  list: ListEndpointName;
  /** Properties of the rows that refer to the object. */
  of: readonly string[];
  /** Parameter of the list that asks for the rows of one object. */
  by?: string;
  /** The field shows what this property of the newest row refers to. */
  gives?: string;
  /** Rows whose property is false do not count. */
  where?: string;
  /** The kind of the object. Rows of `kindBy` name another kind for another object of the same id. */
  kind?: string;
}

/** The endpoints that give a kind, and the pattern of its ids. */
export interface KindData {
  get?: EndpointName;
  list?: ListEndpointName;
  id: string;
}

/** The contract with a service as data, as `npm run codegen` writes it from the OpenAPI document. */
export interface ContractData {
  endpoints: Readonly<Record<string, Endpoint>>;
  /** Types of the graph that show objects of the service, with the endpoints that give them. */
  kinds: Readonly<Record<string, KindData>>;
  /** By name. */
  unions: Readonly<Record<string, Union>>;
  references: Table<Reference>;
  /** Types of the objects whose ids an input takes. */
  inputReferences: Table<string>;
  waysBack: Table<WayBack>;
  /** Types of the objects that the service always embeds. */
  embedded: Table<string>;
  /** Properties that the objects in a field inherit from the row, each with that of the row. */
  inherited: Table<Readonly<Record<string, string>>>;
  /** Shown for each text of the service that its enum lacks. */
  unknownValue: string;
  /** Fields that hold the URL of a file, by type. */
  mediaFields: Readonly<Record<string, readonly string[]>>;
  /** Fields whose value is made of other properties: one property of each list must be known. */
  requiredKeys: Table<readonly (readonly string[])[]>;
  /**
   * Schemas of answers, pages in the words of the gateway. Fields are `string`, `number`, `integer`, `boolean`, `date-time`,
   * `number-id` (shown as a text), or `json` (any value). Others are `A|B` of an enum, or a schema; `[]` marks a list.
   */
  shapes: Table<string>;
  /** Properties that hold the ids of objects, by schema and the name of the object: `author` of `author_id`. */
  idProperties: Table<string>;
  /** Fields that only services of a dialect have, by type. */
  onlyIn: Table<DialectName>;
  /** Differences of a dialect by field, and by schema or the property that embeds it. */
  differences: Readonly<Record<DialectName, Table<readonly string[]>>>;
  wire: WireNames;
  /** The first one is supposed until answers show another. */
  dialects: readonly DialectTraits[];
  /**
   * `header`: holds the API key of each request. `claims`: those that services need in a key that is a JSON Web Token.
   * `signIn`: services read such a key where this header is absent, or has the value.
   */
  key: { header: string; claims: readonly string[]; signIn?: { header: string; value: string } };
  /** The data of each part that extends the contract, by its name. */
  parts: Readonly<Record<string, unknown>>;
}
