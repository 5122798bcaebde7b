import { type Operation, operations, propertiesOf, referencedName, requiredOf, type Schema } from './rest-contract.ts';

// What the design makes of the REST contract, as lines such as `Farmer.buyer_id: ID`. A field `x` that holds an id
// becomes the object `x` and the leaf `x_id`; lists of ids `xs` become `xs` and `x_ids`; everything else keeps its name.

/** Response schemas that make up a type of the graph; where two hold a field, the first one's form of it counts. */
const schemasOfTypes: Record<string, string[]> = {
  Farmer: ['Farmer'],
  Company: ['Company', 'CompanyDetail'],
  FieldVisibility: ['FieldVisibility'],
  CompanyMember: ['CompanyMember'],
  User: ['User'],
  EntityCard: ['EntityCard'],
  Card: ['Card'],
  Product: ['Product'],
  Currency: ['Currency'],
  Premium: ['Premium'],
  PremiumOption: ['PremiumOption'],
  Form: ['Form'],
  FormField: ['FormField'],
  FormFieldConfig: ['FormFieldConfig'],
  Submission: ['Submission'],
  SubmissionValue: ['SubmissionValue'],
  ProductTransaction: ['ProductTransaction'],
  PaymentTransaction: ['PaymentTransaction', 'InvoiceUploaded'],
};

/** Ids of resources that the service cannot be asked for, and does not embed: they stay ids. */
const idsWithoutObject = [
  'Company.owned_premiums',
  'PaymentTransaction.submissions',
  'User.accepted_policy',
  'User.current_policy',
];

/** Strings that hold a decimal number. */
const decimals = /^(Create)?ProductTransaction(Input)?\.(amount|quantity|source_quantity|current_quantity)$/;

const enumNames: Record<string, string> = {
  consent_status: 'ConsentStatus',
  category: 'PremiumCategory',
  type: 'PremiumType',
  applicable_activity: 'PremiumActivity',
  calculation_type: 'PremiumCalculationType',
  form_type: 'FormType',
  method: 'VerificationMethod',
  payment_type: 'PaymentType',
};

type Fields = Record<string, string>;
type Properties = Record<string, Schema>;

/** `Farmer.buyer_id: ID`, for every field of every resource. */
export function resourceLines(): string[] {
  return Object.keys(schemasOfTypes).flatMap((type) => linesOf(type, fieldsOfResource(type)));
}

/** `CreateFarmerInput.first_name: String!`, for every field of every input. */
export function inputLines(): string[] {
  return [...inputs()].flatMap(([input, schema]) => linesOf(input, fieldsOfInput(input, schema)));
}

/** `FarmerConnection.results: [Farmer!]!`, for every field of every page. */
export function pageLines(): string[] {
  return operations.filter(isList).flatMap(({ answer: page }) => {
    const row = referencedName(propertiesOf(page).results!.items!)!;
    const [connection, edge] = [`${row}Connection`, `${row}Edge`];
    return [
      ...linesOf(connection, fieldsOf(connection, propertiesOf(page), requiredOf(page))),
      ...linesOf(connection, { edges: `[${edge}!]!`, pageInfo: 'PageInfo!' }),
      ...linesOf(edge, { cursor: 'String!', node: `${row}!` }),
    ];
  });
}

/** `Query.farmers: FarmerConnection` and `Query.farmers(limit): Int`. */
export function rootLines(root: string, operation: Operation): string[] {
  const { method, takesId, query, body, answer } = operation;
  const args: Fields = {};
  if (takesId) args.id = 'ID!';
  if (body) args.input = `${inputOfBody(method, body)}!`;
  for (const { name, schema } of query) {
    const argument = name === 'only_quantity_available' ? 'quantity_available' : name;
    args[argument] = /_(after|before)$/.test(name) ? 'DateTime' : scalarType(schema);
  }
  if (isList(operation)) Object.assign(args, { first: 'Int', after: 'String', last: 'Int', before: 'String' });
  const type = isList(operation) ? answer.replace(/Page$/, 'Connection') : typeOfSchema(answer);
  return [`${root}: ${type}`, ...Object.entries(args).map(([name, argType]) => `${root}(${name}): ${argType}`)];
}

/** `ConsentStatus.GRANTED`. */
export function enumLines(): string[] {
  const schemas = [...Object.values(schemasOfTypes).flat(), ...inputs().values()];
  const properties = schemas.flatMap((schema) => Object.entries(propertiesOf(schema)));
  return properties.flatMap(([name, property]) => (property.enum ?? []).map((value) => `${enumNames[name]}.${value}`));
}

/** `Farmer.first_name: min 1`. A field that gives the object instead of the id has no length. */
export function lengthLines(): string[] {
  const ofInputs = [...inputs()].flatMap(([input, schema]) => boundsOf(input, requestProperties(input, schema)));
  const ofResources = Object.keys(schemasOfTypes).flatMap((type) => {
    const values = Object.entries(responseProperties(type)).filter(([, property]) => !property['x-reference']);
    return boundsOf(type, Object.fromEntries(values));
  });
  return [...ofInputs, ...ofResources];
}

function linesOf(type: string, fields: Fields): string[] {
  return Object.entries(fields).map(([name, fieldType]) => `${type}.${name}: ${fieldType}`);
}

function boundsOf(type: string, properties: Properties): string[] {
  return Object.entries(properties).flatMap(([name, { minLength, maxLength }]) => [
    ...(minLength === undefined ? [] : [`${type}.${name}: min ${minLength}`]),
    ...(maxLength === undefined ? [] : [`${type}.${name}: max ${maxLength}`]),
  ]);
}

function isList({ answer }: Operation): boolean {
  return answer.endsWith('Page');
}

function typeOfSchema(schema: string): string | undefined {
  return Object.keys(schemasOfTypes).find((type) => schemasOfTypes[type]!.includes(schema));
}

function responseProperties(type: string): Properties {
  return Object.assign({}, ...schemasOfTypes[type]!.toReversed().map(propertiesOf));
}

function requestProperties(input: string, schema: string): Properties {
  const { id, ...rest } = propertiesOf(schema);
  return id && !input.startsWith('Update') ? { id, ...rest } : rest;
}

function fieldsOfResource(type: string): Fields {
  const fields: Fields = {};
  for (const [name, schema] of Object.entries(responseProperties(type))) {
    const referenced = schema['x-reference'];
    const listed = schema.items?.['x-reference'];
    if (name === 'id') fields.id = 'ID!';
    else if (idsWithoutObject.includes(`${type}.${name}`)) fields[name] = listed ? '[ID!]' : 'ID';
    else if (referenced) Object.assign(fields, { [name]: referenced, [`${name}_id`]: 'ID' });
    else if (listed) Object.assign(fields, { [name]: `[${listed}]`, [`${name.replace(/s$/, '')}_ids`]: '[ID!]' });
    else fields[name] = valueType(type, name, schema);
  }
  return fields;
}

function fieldsOfInput(input: string, schema: string): Fields {
  return fieldsOf(input, requestProperties(input, schema), requiredOf(schema));
}

function fieldsOf(type: string, properties: Properties, required: readonly string[]): Fields {
  const entries = Object.entries(properties).map(([name, schema]) => {
    const nullable = valueType(type, name, schema);
    return [name, required.includes(name) ? `${nullable}!` : nullable];
  });
  return Object.fromEntries(entries);
}

function valueType(owner: string, name: string, schema: Schema): string {
  const embedded = referencedName(schema);
  if (embedded) return nestedInput(embedded);
  if (schema.items) return `[${valueType(owner, name, schema.items)}!]`;
  if (name === 'id' || schema['x-reference']) return 'ID';
  if (schema.enum) return enumNames[name] ?? 'an enum without a name';
  return decimals.test(`${owner}.${name}`) ? 'Decimal' : scalarType(schema);
}

function scalarType({ type, format }: Schema): string {
  if (format === 'date-time') return 'DateTime';
  if (format === 'date') return 'Date';
  const scalars: Record<string, string> = { string: 'String', number: 'Float', integer: 'Int', boolean: 'Boolean' };
  return [type].flat().flatMap((each) => scalars[each ?? ''] ?? [])[0] ?? 'no scalar';
}

/** Inputs of the graph → the request schemas that they come from. */
function inputs(): Map<string, string> {
  const found = new Map<string, string>();
  const add = (input: string, schema: string) => {
    found.set(input, schema);
    for (const property of Object.values(propertiesOf(schema))) {
      const nested = referencedName(property.items ?? property);
      if (nested) add(nestedInput(nested), nested);
    }
  };
  for (const { method, body } of operations) {
    if (body) add(inputOfBody(method, body), body);
  }
  return found;
}

function nestedInput(schema: string): string {
  return schema.replace(/Write$/, 'Input');
}

function inputOfBody(method: Operation['method'], body: string): string {
  return method === 'patch' ? `Update${body.replace(/Patch$/, 'Input')}` : `Create${nestedInput(body)}`;
}
