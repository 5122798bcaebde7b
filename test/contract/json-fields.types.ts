import type { partFields, references, requiredKeys, waysBack } from '../../src/generated/contract.ts';
import type { Resolvers, ResolversParentTypes } from '../../src/generated/graph.ts';

// tsc alone checks this file. A field without a resolver is the JSON field of that name, with a type that fits.

/** Fields that are made of properties of other names. */
type Made<Type> = Type extends keyof typeof requiredKeys ? keyof (typeof requiredKeys)[Type] : never;

type References<Type> = Type extends keyof typeof references ? (typeof references)[Type] : never;
/** Objects beside a property that keeps its ids need a resolver; the property does not. */
type IdField<Field, Reference> = Reference extends { objects: infer Objects }
  ? Objects
  : Reference extends { list: true }
    ? Field extends `${infer One}s`
      ? `${One}_ids`
      : never
    : `${Field & string}_id`;

/** References have resolvers, but for those that every answer embeds. */
type Resolved<Type> = {
  [Field in keyof References<Type>]:
    | IdField<Field, References<Type>[Field]>
    | (References<Type>[Field] extends { noIdField: true } | { expandedById: true } ? never : Field);
}[keyof References<Type>];

/** Rows of a list that refer to the object. */
type WayBack<Type> = Type extends keyof typeof waysBack ? keyof (typeof waysBack)[Type] : never;

/** Fields that parts add. */
type OfPart<Type> = Type extends keyof typeof partFields ? (typeof partFields)[Type][number] : never;

type Scalar = 'Date' | 'DateTime' | 'Decimal' | 'JSON' | 'Upload';
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
  [Field in Exclude<keyof Fielded & string, Resolved<Type> | Made<Type> | WayBack<Type> | OfPart<Type>>]-?: Json<
    Type,
    Field
  > extends Given<Fielded[Field]>
    ? never
    : `${Type}.${Field}`;
};

type None<Field extends never> = Field;
type UnservedField = { [Type in ObjectType]: Unserved<Type>[keyof Unserved<Type>] }[ObjectType];
export type EveryFieldIsServed = None<UnservedField>;
