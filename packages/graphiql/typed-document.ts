import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  GraphQLEnumType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  print,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';
import type { CopiedOperation } from './copied-operation.ts';
import { template } from './copy-as-request.ts';

/** Types of JSON for the scalars of the schema. Exact numbers are text. */
const scalars: Readonly<Record<string, string>> = {
  Int: 'number',
  Float: 'number',
  Boolean: 'boolean',
  Upload: 'File',
};

/** A module of TypeScript: the document as a TypedDocumentNode, with the types of its variables and of its answer. */
export function typedDocumentOf(
  schema: GraphQLSchema,
  { document, definition }: Pick<CopiedOperation, 'document' | 'definition'>,
): string {
  const inputs = new Map<string, string>();
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const each of document.definitions) {
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each);
  }
  const name = definition.name?.value ?? 'Operation';
  const variables = (definition.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => {
    const of = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
    if (!of) throw new Error(`Nothing was copied: the schema has no type for $${variable.name.value}.`);
    const isOptional = defaultValue !== undefined || !isNonNullType(of);
    return `  ${variable.name.value}${isOptional ? '?' : ''}: ${inputType(of)};\n`;
  });
  const root = schema.getRootType(definition.operation);
  if (!root) throw new Error(`Nothing was copied: the schema has no ${definition.operation}.`);
  const data = shapeOf(root, [definition.selectionSet], '');
  const declared = variables.length > 0 ? `{\n${variables.join('')}}` : 'Record<string, never>';
  return `import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse } from 'graphql';

${[...inputs.values()].join('')}export type ${name}Variables = ${declared};

export type ${name}Data = ${data};

export const ${name}Document: TypedDocumentNode<${name}Data, ${name}Variables> = parse(${template(print(document))});
`;

  function inputType(type: GraphQLInputType): string {
    if (isNonNullType(type)) return inputType(type.ofType).replace(/ \| null$/, '');
    // One item may stand for a list, but a list always does.
    if (isListType(type)) return `${arrayOf(inputType(type.ofType))} | null`;
    const named = getNamedType(type);
    if (!isInputObjectType(named)) return `${leafType(named)} | null`;
    if (!inputs.has(named.name)) {
      inputs.set(named.name, '');
      const fields = Object.values(named.getFields()).map(
        (field) => `  ${field.name}${isRequiredInputField(field) ? '' : '?'}: ${inputType(field.type)};\n`,
      );
      inputs.set(named.name, `export type ${named.name} = {\n${fields.join('')}};\n\n`);
    }
    return `${named.name} | null`;
  }

  function outputType(type: GraphQLOutputType, nodes: readonly FieldNode[], indent: string): string {
    if (isNonNullType(type)) return outputType(type.ofType, nodes, indent).replace(/ \| null$/, '');
    if (isListType(type)) return `${arrayOf(outputType(type.ofType, nodes, indent))} | null`;
    const named = getNamedType(type);
    if (!isCompositeType(named)) return `${leafType(named)} | null`;
    const selections = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    return `${shapeOf(named, selections, indent)} | null`;
  }

  /** The union of the shapes that the possible types have. */
  function shapeOf(type: GraphQLCompositeType, selections: readonly SelectionSetNode[], indent: string): string {
    const types = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
    const shapes = [...new Set(types.map((each) => objectShape(each, selections, indent)))];
    return shapes.length === 1 ? (shapes[0] as string) : `(${shapes.join(' | ')})`;
  }

  function objectShape(type: GraphQLObjectType, selections: readonly SelectionSetNode[], indent: string): string {
    const fields = new Map<string, Selected>();
    for (const selection of selections) collect(type, selection, false, fields);
    const inner = `${indent}  `;
    const lines = [...fields].map(([key, { nodes, isOptional }]) => {
      const field = nodes[0]?.name.value ?? '';
      const definition = type.getFields()[field];
      if (field !== '__typename' && !definition) {
        throw new Error(`Nothing was copied: ${type.name} has no field ${field}.`);
      }
      const text = definition ? outputType(definition.type, nodes, inner) : `'${type.name}'`;
      return `${inner}${key}${isOptional ? '?' : ''}: ${text};\n`;
    });
    return `{\n${lines.join('')}${indent}}`;
  }

  function collect(
    type: GraphQLObjectType,
    { selections }: SelectionSetNode,
    isConditional: boolean,
    fields: Map<string, Selected>,
  ): void {
    for (const node of selections) {
      const isOptional =
        isConditional || Boolean(node.directives?.some(({ name }) => /^(skip|include)$/.test(name.value)));
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        const known = fields.get(key);
        fields.set(key, {
          nodes: [...(known?.nodes ?? []), node],
          isOptional: isOptional && (known?.isOptional ?? true),
        });
        continue;
      }
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
      const condition = fragment?.typeCondition && schema.getType(fragment.typeCondition.name.value);
      if (fragment && (!condition || applies(condition, type))) {
        collect(type, fragment.selectionSet, isOptional, fields);
      }
    }
  }

  function applies(condition: GraphQLNamedType, type: GraphQLObjectType): boolean {
    return condition === type || (isAbstractType(condition) && schema.isSubType(condition, type));
  }
}

interface Selected {
  nodes: readonly FieldNode[];
  /** The answer may lack the field. */
  isOptional: boolean;
}

function leafType(type: GraphQLNamedType): string {
  if (!(type instanceof GraphQLEnumType)) return scalars[type.name] ?? 'string';
  return type
    .getValues()
    .map(({ name }) => `'${name}'`)
    .join(' | ');
}

function arrayOf(item: string): string {
  return `Array<${item}>`;
}
