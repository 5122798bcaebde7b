import { ValidDocument } from '@gateway/base';
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
import type { Graph } from '../../graph.ts';
import { type DocumentLimits, documentRule } from './document-limits.ts';

export interface DocumentCheck {
  graph: Pick<Graph, 'schema' | 'requireFits'>;
  limits: DocumentLimits;
  introspectionEnabled: boolean;
}

/** @throws Error for a document that is refused whatever its variables are. */
export function checkDocument(document: DocumentNode, check: DocumentCheck): void {
  const { graph, limits, introspectionEnabled } = check;
  const { schema } = graph;
  const { tokens } = limits;
  if (document.tokenCount && document.tokenCount > tokens) {
    throw new Error(`The document has more than ${tokens} tokens (limits.documents.tokens).`);
  }
  const [error] = validate(schema, document, [...specifiedRules, documentRule(limits, introspectionEnabled)]);
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
    graph.requireFits?.({ operation, tree: operation.tree({}), variableValues, contextValue: undefined });
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
