import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema, parse as parseSdl, print } from 'graphql';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { madeOnce } from '../../packages/base/maps.ts';
import { generatedFrom } from '../../packages/contract/codegen/generated-files.ts';
import { parseContract } from '../../packages/contract/codegen/read-contract.ts';
import { wholeDocument } from '../../packages/contract/codegen/schema.ts';
import { checkSdl, checkTypes } from '../../packages/contract/codegen/sdl-check.ts';
import pushContract from '../../packages/push/codegen.ts';
import totalsContract from '../../packages/totals/codegen.ts';
import { description } from '../../src/codegen/description.ts';
import { generatedFiles } from '../../src/codegen/generated-files.ts';
import { describedContract } from '../support/described-contract.ts';

const folder = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(folder + file, 'utf8');

const stale = 'is stale: run `npm run codegen`';

const example = 'examples/second-service';
const ofExample = generatedFrom({
  openApi: new URL(`../../${example}/library.openapi.yaml`, import.meta.url),
  name: `${example}/library.openapi.yaml`,
  sdl: new URL(`../../${example}/schema/`, import.meta.url),
  parts: [pushContract, totalsContract],
});
const files = {
  ...(await generatedFiles()),
  ...Object.fromEntries(Object.entries(ofExample.files).map(([name, text]) => [`${example}/generated/${name}`, text])),
};

test.each(Object.entries(files))('%s follows from its description', (path, text) => {
  expect(read(path) === text, `${path} ${stale}`).toBe(true);
});

describe('a mistake in the OpenAPI document is reported by its YAML path:', () => {
  const text = readFileSync(description.openApi, 'utf8');
  const changed = (from: string, to: string) => {
    expect(text).toContain(from);
    return () => parseContract(jsonOf(text.replace(from, to)), description.parts);
  };
  const parsed = new Map<string, unknown>();
  /** The document as JSON, whose parts are parsed once: YAML takes more CPU than a check of the contract. */
  const jsonOf = (yaml: string) =>
    JSON.stringify(Object.assign({}, ...yaml.split(/^(?=\S+:)/m).map((part) => madeOnce(parsed, part, parse))));

  test.each([
    [
      'a key that is misspelt',
      'x-argument: quantity',
      'x-argumnet: quantity',
      'paths./transactions/product-transactions/.get.parameters.3.x-argumnet: not a known key',
    ],
    [
      'a value of another type',
      'x-argument: quantity_available',
      'x-argument: 3',
      'paths./transactions/product-transactions/.get.parameters.3.x-argument: expected string',
    ],
    [
      'a filter that is checked by one that all services have',
      'x-checked-by: updated_after',
      'x-checked-by: limit',
      'paths./supply-chains/entity-cards/.get.parameters.created_after.x-checked-by: no parameter limit with x-only-in',
    ],
    [
      'a switch that adds rows by a property that is no boolean',
      'x-adds: is_deleted',
      'x-adds: quantity',
      'paths./transactions/product-transactions/.get.parameters.reverse_sync.x-adds: ProductTransaction has no boolean quantity',
    ],
    [
      'a switch that adds rows in every service',
      'x-only-in: connect\n          x-adds',
      'x-adds',
      'paths./transactions/product-transactions/.get.parameters.reverse_sync.x-adds: belongs to a boolean with x-only-in',
    ],
    [
      'a property of a dialect that nobody speaks',
      'readOnly: true, x-only-in: connect }',
      'readOnly: true, x-only-in: connected }',
      'components.schemas.ProductTransaction.properties.is_deleted.x-only-in: x-wire.dialects has no dialect connected',
    ],
    [
      'a condition by a property that is no time',
      'x-if-unchanged: updated_on',
      'x-if-unchanged: city',
      'paths./supply-chains/companies/{hashid}/.patch.x-if-unchanged: CompanyDetail has no date-time city',
    ],
    [
      'a condition of a creation',
      'description: Registers a farmer.\n',
      'description: Registers a farmer.\n      x-if-unchanged: updated_on\n',
      'paths./supply-chains/farmers/.post.x-if-unchanged: belongs to a PATCH or a PUT of an object that every service gives by the same id',
    ],
    [
      'a way back from a property that refers to nothing',
      'of: [parents]',
      'of: [date]',
      'paths./transactions/product-transactions/.get.x-ways-back.children.of: ProductTransaction.date refers to no object',
    ],
    [
      'a way back by the name of a field that a dialect has',
      'field: productTransactions\n          of: [source',
      'field: linked_services\n          of: [source',
      'paths./transactions/product-transactions/.get.x-ways-back.linked_services: Farmer has a property of this name in x-dialects.connect',
    ],
    [
      'a way back through a list in no order',
      'x-newest-first: created_on\n      x-ways-back:\n        - field: holder',
      'x-ways-back:\n        - field: holder',
      'paths./supply-chains/entity-cards/.get.x-ways-back: needs x-newest-first',
    ],
    [
      'an order by a property that rows lack',
      'companies.\n      x-newest-first: created_on',
      'companies.\n      x-newest-first: made_on',
      'paths./supply-chains/entity-cards/.get: EntityCard has no property made_on',
    ],
    [
      'a decimal that JSON would round',
      'amount: { type: string, x-scalar: Decimal, description: Amount of the transaction. }',
      'amount: { type: number, x-scalar: Decimal, description: Amount of the transaction. }',
      'properties.amount: a Decimal has the type string, which keeps its digits',
    ],
    [
      'a place of a property that is missing',
      'polygons: plots',
      'polygons: fields',
      'paths./supply-chains/farmers/.get.x-geo.polygons: Farmer has no property fields',
    ],
    [
      'a property of a map that is made of a missing one',
      'ProductionPlace: [city, sub_province, province]',
      'ProductionPlace: [city, village]',
      'paths./supply-chains/farmers/.get.x-geo.properties.ProductionPlace: Farmer has no property village',
    ],
    [
      'places of what is no list',
      'operationId: getFarmer\n',
      'operationId: getFarmer\n      x-geo: { latitude: latitude, longitude: longitude }\n',
      'paths./supply-chains/farmers/{hashid}/.get.x-geo: only a list has it',
    ],
    [
      'a difference of a dialect in no schema',
      '    CompanyDetail.buyer:',
      '    CompanyDetail.seller:',
      'x-dialects.connect.CompanyDetail.seller: no schema of an answer, and no property that embeds one',
    ],
    [
      'a difference of a property that cannot be absent',
      'currency: absent',
      'price: absent',
      'x-dialects.connect.PaymentTransaction.price: the schema has no such property',
    ],
    [
      'a further value of a property without an enum',
      'label: string\n      ranges',
      'label: RANGE\n      ranges',
      'x-dialects.connect.Premium.label: the property has no enum',
    ],
    [
      'a word that is no difference',
      'linked_services: array',
      'linked_services: list',
      'x-dialects.connect.Farmer.linked_services.0: no difference of a field',
    ],
    [
      'a write that invalidates a list without cache',
      'x-invalidates: [listProducts]',
      'x-invalidates: [listFarmers]',
      'paths./catalogs/premiums/.post.x-invalidates: listFarmers is no list that is cached',
    ],
    [
      'an embedded object that the row has not',
      'within: premium_details',
      'within: bonus_details',
      'components.schemas.PaymentTransaction.properties.selected_option.x-reference: PaymentTransaction has no property bonus_details',
    ],
    [
      'a property to inherit that the row has not',
      'x-inherits: { owner: id }',
      'x-inherits: { owner: boss }',
      'components.schemas.Company.properties.forms.x-inherits.owner: Company has no property boss',
    ],
    [
      'a property to inherit that the embedded object has not',
      'x-inherits: { owner: id }',
      'x-inherits: { boss: id }',
      'components.schemas.Company.properties.forms.x-inherits.boss: Form has no property boss',
    ],
    [
      'a promise of a property that is missing',
      'x-never-null: [name, code]',
      'x-never-null: [name, sign]',
      'components.schemas.Currency.x-never-null: Currency has no property sign',
    ],
    [
      'a promise of a property that a dialect leaves out',
      'x-never-null: [source, destination]',
      'x-never-null: [source, number]',
      'components.schemas.PaymentTransaction.x-never-null: number is absent in x-dialects.connect.ProductTransaction.transaction_payments',
    ],
    [
      'a reference to no schema',
      'x-reference: { to: EntityCard, where: is_active, noIdField: true }',
      'x-reference: { to: Cart, where: is_active, noIdField: true }',
      'components.schemas.Farmer.properties.entity_card.x-reference.to: no schema Cart',
    ],
    [
      'an embedded object of no schema',
      'values: { type: array, items: { $ref: "#/components/schemas/SubmissionValue" } }',
      'values: { type: array, items: { $ref: "#/components/schemas/SubmittedValue" } }',
      'components.schemas.SubmittedValue: no schema SubmittedValue',
    ],
    [
      'a reference among a list by an unknown property',
      'x-reference: { to: EntityCard, where: is_active, noIdField: true }',
      'x-reference: { to: EntityCard, where: is_live, noIdField: true }',
      'components.schemas.Farmer.properties.entity_card.x-reference.where: EntityCard has no property is_live',
    ],
    [
      'an answer whose schema is missing',
      'schema: { $ref: "#/components/schemas/FarmerPage" }',
      'schema: { $ref: "#/components/schemas/Farmers" }',
      'paths./supply-chains/farmers/.get.responses: no schema Farmers',
    ],
    [
      'a property that is written in another way than read',
      'gender: { type: [string, "null"], maxLength: 50 }',
      'gender: { type: integer }',
      'components.schemas.FarmerWrite.properties.gender: differs from components.schemas.Farmer.properties.gender',
    ],
    [
      'evidence of a property that is missing',
      'field: destination, is: Company, where: type',
      'field: payee, is: Company, where: type',
      'components.schemas.Entity.x-evidence.PaymentTransaction.1: PaymentTransaction has no property payee',
    ],
    [
      'evidence of a kind that is none of the union',
      'field: source, is: Company, where: parents',
      'field: source, is: User, where: parents',
      'components.schemas.Entity.x-evidence.ProductTransaction.1.is: User is no Entity',
    ],
    [
      'a union without a type for unknown kinds',
      '      x-unknown: UnknownEntity\n',
      '',
      'components.schemas.Entity.x-unknown: needs the name of a new type, for an object of unknown kind',
    ],
    [
      'totals of objects that need the kind beside their ids',
      '          - { field: source, is: Company, where: type, equals: OUTGOING }\n          # A product',
      '          - { field: source, is: Company, where: type, equals: OUTGOING }\n          - { field: source, is: Farmer, where: type, equals: INCOMING }\n          # A product',
      'paths./transactions/product-transactions/.get.x-totals: needs unique ids, but rows name the kind of each Entity; where ids are unique, leave a kind out of x-evidence',
    ],
    [
      'holders of two kinds that may have one id',
      '          - { field: source, is: Company, where: type, equals: OUTGOING }\n          # A product',
      '          - { field: source, is: Company, where: type, equals: OUTGOING }\n          - { field: source, is: Farmer, where: type, equals: INCOMING }\n          # A product',
      'paths./supply-chains/farmers/.get.x-holders: needs unique ids, but rows name the kind of each Entity; where ids are unique, leave a kind out of x-evidence',
    ],
    [
      'no read that proves a key',
      '      x-proves-key: true\n',
      '',
      'paths: one list without ids in its path, such as paths./supply-chains/farmers/.get, has `x-proves-key: true`; now: none',
    ],
    [
      'pages both by number and by their first row',
      'limit: limit, offset: offset }',
      'limit: limit, offset: offset, number: page }',
      'x-wire.page: has either offset or number',
    ],
    [
      'the number of a first page without pages by number',
      'limit: limit, offset: offset }',
      'limit: limit, offset: offset, first: 0 }',
      'x-wire.page: has first only beside number',
    ],
    [
      'a largest page without rows',
      'limit: limit, offset: offset }',
      'limit: limit, offset: offset, largest: 0 }',
      'x-wire.page.largest: Too small: expected number to be >=1',
    ],
    [
      'a list without the parameters of its pages',
      'limit: limit, offset: offset }',
      'limit: limit, number: page }',
      'paths./supply-chains/farmers/.get.parameters: a page is asked for by `limit` and `page`',
    ],
    [
      'types of a file that no form has',
      'invoice: { contentType:',
      'receipt: { contentType:',
      'paths./transactions/payment-transactions/{hashid}/invoice/.patch.requestBody: the encoding of receipt is that of no property',
    ],
    [
      'a file that browsers run',
      'contentType: "application/pdf,',
      'contentType: "text/html,',
      'paths./transactions/payment-transactions/{hashid}/invoice/.patch.requestBody: invoice cannot be text/html, image/jpeg, image/png, image/webp, image/heic, image/heif, because browsers would run it',
    ],
    [
      'an id of a path in another form than that of the object',
      "schema: { type: string, pattern: '^[\\w-]{1,64}$' } }",
      'schema: { type: integer } }',
      'paths./supply-chains/farmers/{hashid}/.get.parameters.hashid.schema.type: Farmer.id is string, not integer; x-id names another',
    ],
    [
      'a pattern of ids that takes other paths',
      "pattern: '^[\\w-]{1,64}$' } }",
      'pattern: "^.{1,64}$" } }',
      'paths./supply-chains/farmers/{hashid}/.get.parameters.hashid.schema.pattern: takes ".", which names another path',
    ],
    [
      'a pattern that fits a part of an id',
      "pattern: '^[\\w-]{1,64}$' } }",
      "pattern: '[0-9]+' } }",
      'paths./supply-chains/farmers/{hashid}/.get.parameters.hashid.schema.pattern: must begin with ^ and end with $',
    ],
    [
      'a pattern of ids that is no regular expression',
      "pattern: '^[\\w-]{1,64}$' } }",
      'pattern: "^[a{1,64}$" } }',
      'paths./supply-chains/farmers/{hashid}/.get.parameters.hashid.schema.pattern: no regular expression',
    ],
    [
      'an endpoint of a dialect that is missing',
      'description: One form.\n      x-only-in: connect',
      'description: One form.\n      x-only-in: connected',
      'paths./forms/forms/{hashid}/.get.x-only-in: x-wire.dialects has no dialect connected',
    ],
    [
      'a filter of a dialect that is missing',
      'in: query\n          x-only-in: connect\n          x-shown-by: [reference_number]',
      'in: query\n          x-only-in: connected\n          x-shown-by: [reference_number]',
      'paths./supply-chains/farmers/.get.parameters.reference_number.x-only-in: x-wire.dialects has no dialect connected',
    ],
    [
      'a property of a dialect that is missing',
      'x-scalar: JSON, x-only-in: connect',
      'x-scalar: JSON, x-only-in: connected',
      'components.schemas.Farmer.properties.plots.x-only-in: x-wire.dialects has no dialect connected',
    ],
    [
      'a value that is sent in a dialect that is missing',
      'x-sends: { filter_by: { connect: all } }',
      'x-sends: { filter_by: { connected: all } }',
      'paths./transactions/product-transactions/.get.x-sends.filter_by.connected: x-wire.dialects has no dialect connected',
    ],
    [
      'differences of a dialect that is missing',
      'x-dialects:\n  connect:',
      'x-dialects:\n  connected:',
      'x-dialects.connected: x-wire.dialects has no dialect connected',
    ],
    [
      'a form of times that no service has',
      'times: unix',
      'times: minutes',
      'x-wire.dialects.connect.times: Invalid option: expected one of "iso"|"unix"',
    ],
    [
      'a key whose scheme is missing',
      'security:\n  - Bearer: []',
      'security:\n  - Token: []',
      'security.0.Token: components.securitySchemes has no such scheme',
    ],
    [
      'a key outside of headers',
      '      in: header\n',
      '      in: query\n',
      'components.securitySchemes.Bearer.in: expected "header"',
    ],
    [
      'a key in a header whose name no header can have',
      'name: Authorization\n',
      'name: API key\n',
      'components.securitySchemes.Bearer.name: no name of a header',
    ],
    [
      'an assignment of a holder that embeds no object',
      'assignment: entity_card',
      'assignment: card',
      'paths./supply-chains/farmers/.get.x-holders.assignment: Farmer.card embeds no object',
    ],
    [
      'a name of a thing that the assignment does not have',
      'by: [card.card_id, card.display_id]',
      'by: [card.number]',
      'paths./supply-chains/farmers/.get.x-holders.by: EntityCard has no property card.number',
    ],
    [
      'a holder that is no object',
      'holder: entity\n',
      'holder: is_active\n',
      'paths./supply-chains/entity-cards/.get.x-holders.holder: EntityCard.is_active refers to no object',
    ],
    [
      'another argument of the same field of holders',
      'argument: card_id\n        holder',
      'argument: card\n        holder',
      'paths./supply-chains/farmers/.get.x-holders.argument: is not the same in all lists of cardHolder',
    ],
    [
      'a comparison with a property that the rows lack',
      'phone: { of: [phone], as: phones }',
      'phone: { of: [mobile], as: phones }',
      'paths./supply-chains/farmers/.get.x-candidates.compares.phone.of: Farmer has no property mobile',
    ],
    [
      'a filter for changes that is no time',
      'x-changes: updated_after',
      'x-changes: number',
      'paths./supply-chains/farmers/.get.x-changes: the list has no parameter number that is a time',
    ],
  ])('%s', (_what, from, to, message) => {
    expect(changed(from, to)).toThrow(message);
  });
});

describe('a difference between the SDL and the OpenAPI document is reported by its place:', () => {
  const contract = describedContract();
  const sdl = print(wholeDocument(contract, description.sdl));

  test.each([
    [
      'a field that is missing',
      '  dob: Date\n',
      '  birthday: Date\n',
      'components.schemas.User.properties.dob: schema/*.graphql has no field User.dob:\n\n  "…"\n  dob: Date\n',
    ],
    [
      'a field with a bound that is missing',
      '  number: String @length(max: 10)\n',
      '  no: String @length(max: 10)\n',
      'has no field Farmer.number:\n\n  "Auto-generated reference number. At most 10 characters."\n  number: String @length(max: 10)\n',
    ],
    [
      'a field of another type',
      '  dob: Date\n',
      '  dob: String\n',
      'components.schemas.User.properties.dob: User.dob is String in schema/*.graphql, not Date',
    ],
    [
      'a field that the document does not have',
      '  dob: Date\n',
      '  dob: Date\n  age: Int\n',
      'schema/*.graphql: User.age is no property of the document',
    ],
    [
      'another bound',
      '@length(max: 254)',
      '@length(max: 255)',
      'components.schemas.User.properties.email.maxLength: User.email has @length(max: 255); the document asks for @length(max: 254)',
    ],
    [
      'an enum without one of the values',
      '  GRANTED\n',
      '  GIVEN\n',
      'components.schemas.Farmer.properties.consent_status.enum: ConsentStatus is no enum of GRANTED',
    ],
    [
      'a text in place of an enum',
      'consent_status: ConsentStatus\n',
      'consent_status: String\n',
      'components.schemas.Farmer.properties.consent_status.enum: String is no enum of GRANTED, NOT_GRANTED, UNKNOWN',
    ],
    [
      'an enum that is missing beside its field',
      '  consent_status: ConsentStatus\n',
      '  consent: ConsentStatus\n',
      '  consent_status: FarmerConsentStatus\n\nschema/*.graphql has no enum FarmerConsentStatus:\n\n"…"\nenum FarmerConsentStatus {\n  "…"\n  GRANTED\n',
    ],
    [
      'an input field that is required in one of them',
      'first_name: String! @length',
      'first_name: String @length',
      'components.schemas.FarmerWrite.properties.first_name: CreateFarmerInput.first_name is String in schema/*.graphql, not String!',
    ],
  ])('%s', (_what, from, to, message) => {
    expect(sdl).toContain(from);
    expect(() => checkSdl(contract, buildSchema(sdl.replace(from, to)))).toThrow(message);
  });

  test('a type that is missing, with the SDL to write', () => {
    const document = parseSdl(sdl.replace('type Currency ', 'type Money '));

    expect(() => checkTypes(contract, document)).toThrow(
      /no type Currency:\n\n"…"\ntype Currency \{\n {2}"…"\n {2}name: String\n/,
    );
  });

  test('a type that is missing with its enum', () => {
    const document = parseSdl(sdl.replace('type Form ', 'type Paper '));

    expect(() => checkTypes(contract, document)).toThrow(
      /form_type: FormFormType\n[\s\S]*no enum FormFormType:\n\n"…"\nenum FormFormType \{\n {2}"…"\n {2}TRANSACTION\n/,
    );
  });
});

test('a way back has no argument for the filter that finds its rows', () => {
  const everywhere = /(- name: entity\n +in: query\n)(?: +x-.*\n)+/g;
  const text = readFileSync(description.openApi, 'utf8').replace(everywhere, '$1');
  const sdl = print(wholeDocument(parseContract(text, description.parts), description.sdl));
  const [, farmer] = /type Farmer implements Entity \{\n([\s\S]*?)\n\}/.exec(sdl)!;

  expect(farmer).toContain('  productTransactions(');
  expect(farmer).not.toContain('entity: ID');
});
