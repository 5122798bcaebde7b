import { hasVariables, ValidDocument } from '@gateway/base';
import { planRoots, requireFits } from '@gateway/rest-graph';
import {
  type DirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  specifiedRules,
  typeFromAST,
  type VariableDefinitionNode,
  validate,
  visit,
} from 'graphql';
import type { Config } from '../../../../src/config.ts';
import { documentRule } from './document-limits.ts';

export interface DocumentCheck {
  schema: GraphQLSchema;
  limits: Pick<Config['limits'], 'documents' | 'operations'>;
  introspectionEnabled: boolean;
  /** The list cache is on. */
  usesCache: boolean;
}

/** @throws Error for a document that is refused whatever its variables are. */
export function checkDocument(document: DocumentNode, check: DocumentCheck): void {
  const { schema, limits, introspectionEnabled, usesCache } = check;
  const { tokens } = limits.documents;
  if (document.tokenCount && document.tokenCount > tokens) {
    throw new Error(`The document has more than ${tokens} tokens (limits.documents.tokens).`);
  }
  const [error] = validate(schema, document, [...specifiedRules, documentRule(limits.documents, introspectionEnabled)]);
  if (error) throw error;
  const certain = new ValidDocument(schema, withoutConditions(document));
  for (const definition of certain.node.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    if (definition.operation === 'subscription') throw new Error('Subscriptions are not supported.');
    const operation = certain.operation(definition);
    const { variableDefinitions = [] } = definition;
    const variableValues = Object.fromEntries(
      variableDefinitions.map((variable) => [variable.variable.name.value, cheapest(schema, variable)]),
    );
    const args = { operation, tree: operation.tree({}), variableValues, contextValue: undefined };
    const { pageSize } = limits.operations;
    const plan = planRoots(args, { pageSize, usesCache }, ({ nodes: [node] }, reason) => {
      if (node && !hasVariables(node)) throw reason;
    });
    requireFits(plan, limits.operations);
  }
}

/** The document without everything that a variable may skip. */
function withoutConditions(document: DocumentNode): DocumentNode {
  const drop = ({ directives = [] }: { readonly directives?: readonly DirectiveNode[] | undefined }) =>
    directives.some((directive) => directive.arguments?.some(({ value }) => value.kind === Kind.VARIABLE))
      ? null
      : undefined;
  return visit(document, { Field: drop, InlineFragment: drop, FragmentSpread: drop });
}

/** A value with which no operation costs more than with another: a page without rows, and the same id everywhere. */
function cheapest(schema: GraphQLSchema, { type: node }: VariableDefinitionNode): unknown {
  const type = typeFromAST(schema, node);
  const nullable = getNullableType(type);
  if (String(nullable) === 'Int') return 0;
  if (!isNonNullType(type)) return undefined;
  if (isListType(nullable)) return [];
  return isInputObjectType(nullable) ? {} : 'any';
}
