import {
  type buildSchema,
  type DocumentNode,
  type GraphQLInputType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
  type OperationDefinitionNode,
  TokenKind,
  TypeInfo,
  typeFromAST,
  valueFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';

type Schema = ReturnType<typeof buildSchema>;

/** Scalars that are no text in JSON, or text of a form that JSON Schema knows. Decimals are text. */
const scalars: Record<string, object> = {
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  Date: { type: 'string', format: 'date' },
  DateTime: { type: 'string', format: 'date-time' },
};

/** The variables of an operation as JSON Schema, each described by its comment or by the argument that takes it. */
export function inputSchemaOf(schema: Schema, document: DocumentNode, operation: OperationDefinitionNode) {
  const uses = descriptionsOfArguments(schema, document);
  const variables = (operation.variableDefinitions ?? []).map((node) => {
    const name = node.variable.name.value;
    const type = typeFromAST(schema, node.type) as GraphQLInputType;
    const given = node.defaultValue && { default: valueFromAST(node.defaultValue, type) };
    const property = { ...jsonTypeOf(type), ...given, description: commentAbove(node) || uses.get(name) };
    return { name, property, isRequired: isNonNullType(type) && !node.defaultValue };
  });
  return {
    type: 'object',
    properties: Object.fromEntries(variables.map(({ name, property }) => [name, property])),
    required: variables.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    // GraphQL ignores variables that the document lacks: a filter by a wrong name would find everything.
    additionalProperties: false,
  };
}

/** The lines of a comment as one text; empty without a comment. */
export function commentAbove({ loc }: Pick<OperationDefinitionNode, 'loc'>): string {
  const lines: string[] = [];
  for (let token = loc?.startToken.prev; token?.kind === TokenKind.COMMENT; token = token.prev) {
    lines.unshift(token.value.trim());
  }
  return lines.join(' ');
}

/** Fragments take variables too. */
function descriptionsOfArguments(schema: Schema, document: DocumentNode): Map<string, string> {
  const descriptions = new Map<string, string>();
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    Variable({ name }) {
      const description = types.getArgument()?.description;
      if (description) descriptions.set(name.value, description);
    },
  });
  visit(document, visitor);
  return descriptions;
}

function jsonTypeOf(type: GraphQLInputType): object {
  if (isNonNullType(type)) return jsonTypeOf(type.ofType);
  if (isListType(type)) return { type: 'array', items: jsonTypeOf(type.ofType) };
  if (isEnumType(type)) return { enum: type.getValues().map(({ name }) => name) };
  if (isScalarType(type)) return scalars[type.name] ?? { type: 'string' };
  throw new Error(`A variable has the input type ${type.name}; give each of its fields a variable.`);
}
