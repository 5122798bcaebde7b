import type { Resolvers, ResolversParentTypes } from '../../src/generated/graph.ts';

// tsc alone checks this file. A field without a resolver is the JSON field of that name, with a type that fits.

type Author = 'creator' | 'creator_id' | 'updater' | 'updater_id';

/** The fields that have a resolver. */
interface Resolved {
  Card: Author;
  Company:
    | Author
    | ('currency_id' | 'buyer' | 'buyer_id' | 'entity_card_id')
    | ('members' | 'member_ids' | 'products' | 'product_ids');
  CompanyMember: Author | 'company' | 'company_id';
  EntityCard: Author | 'entity' | 'entity_id';
  Farmer: Author | 'name' | 'buyer' | 'buyer_id';
  FieldVisibility: Author | 'company' | 'company_id';
  Form: Author | 'owner' | 'owner_id';
  FormField: Author | 'localized_label';
  FormFieldConfig: Author;
  PaymentTransaction:
    | Author
    | ('source' | 'source_id' | 'destination' | 'destination_id' | 'currency' | 'currency_id' | 'card')
    | (
        | 'premium'
        | 'premium_id'
        | 'selected_option'
        | 'selected_option_id'
        | 'transaction'
        | 'transaction_id'
        | 'card_id'
      );
  Premium: Author | 'owner' | 'owner_id';
  PremiumOption: Author;
  Product: Author;
  ProductTransaction:
    | Author
    | ('source' | 'source_id' | 'destination' | 'destination_id' | 'product' | 'product_id')
    | ('currency' | 'currency_id' | 'card' | 'card_id' | 'parents' | 'parent_ids');
  Submission: Author | 'form' | 'form_id' | 'product' | 'product_id';
  SubmissionValue: Author | 'field' | 'field_id';
  User: 'managing_entitys' | 'managing_entity_ids' | 'default_entity' | 'default_entity_id';
}

type Scalar = 'Date' | 'DateTime' | 'Decimal' | 'Upload';
type ObjectType = Exclude<keyof Resolvers, Scalar | 'Query' | 'Mutation' | 'Entity' | 'UnknownEntity'>;
type Fields<Type extends ObjectType> = Omit<NonNullable<Resolvers[Type]>, '__isTypeOf'>;
type Json<Type extends ObjectType, Field> = Field extends keyof ResolversParentTypes[Type]
  ? Awaited<ResolversParentTypes[Type][Field]>
  : { absent: Field };

/** Values that a resolver may give for its field. */
type Given<Resolver> =
  Extract<Resolver, (...args: never[]) => unknown> extends (...args: never[]) => infer Result ? Awaited<Result> : never;

/** The fields of a type that neither a resolver nor the JSON gives, as `Type.field`. */
type Unserved<Type extends ObjectType, Fielded = Fields<Type>> = {
  [Field in Exclude<keyof Fielded & string, Type extends keyof Resolved ? Resolved[Type] : never>]-?: Json<
    Type,
    Field
  > extends Given<Fielded[Field]>
    ? never
    : `${Type}.${Field}`;
};

type None<Field extends never> = Field;
type UnservedField = { [Type in ObjectType]: Unserved<Type>[keyof Unserved<Type>] }[ObjectType];
export type EveryFieldIsServed = None<UnservedField>;
