import { type GraphQLSchema, getNamedType, isInterfaceType, isObjectType } from 'graphql';

const unknownField = /^Cannot query field "(\w+)" on type "(\w+)"\.$/;

/** Adds the place of the field, if one object below has it. Clients of REST expect rows where a list begins. */
export function withFieldBelow(message: string, schema: GraphQLSchema): string {
  const [, name = '', on = ''] = unknownField.exec(message) ?? [];
  const above = Object.values(fieldsOf(schema.getType(on))).filter(({ type }) => name in fieldsOf(getNamedType(type)));
  return above.length === 1 ? `${message} Did you mean "${above[0]?.name} { ${name} }"?` : message;
}

const fieldsOf = (type: unknown) => (isObjectType(type) || isInterfaceType(type) ? type.getFields() : {});
