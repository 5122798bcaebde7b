import { getOperationAST, Kind, type OperationDefinitionNode, parse, type TypeNode } from 'graphql';

/**
 * The operation that is run; null where the text has none, or several and no name. GraphiQL applies an edit a moment later,
 * and until then gives the name from before: a single operation needs none.
 */
export function operationOf(text: string, name?: string | null): OperationDefinitionNode | null {
  try {
    const document = parse(text);
    return getOperationAST(document, name) ?? getOperationAST(document) ?? null;
  } catch {
    return null;
  }
}

/** Names of the variables that take a file. */
export function uploadVariables(operation: OperationDefinitionNode | null): string[] {
  const definitions = operation?.variableDefinitions ?? [];
  return definitions.filter(({ type }) => isUpload(type)).map(({ variable }) => variable.name.value);
}

function isUpload(type: TypeNode): boolean {
  if (type.kind === Kind.NON_NULL_TYPE) return isUpload(type.type);
  return type.kind === Kind.NAMED_TYPE && type.name.value === 'Upload';
}
