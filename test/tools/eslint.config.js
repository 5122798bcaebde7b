import graphql from '@graphql-eslint/eslint-plugin';

const recommended = graphql.configs['flat/schema-recommended'].rules;

// Only the SDL: TypeScript is linted by biome.
export default [
  {
    files: ['schema/*.graphql', 'schema/generated/*.graphql', 'examples/second-service/**/*.graphql'],
    plugins: { '@graphql-eslint': graphql },
    languageOptions: {
      parser: graphql.parser,
    },
    rules: {
      ...recommended,
      // Text that fits a line stays on it; the formatter keeps either form.
      '@graphql-eslint/description-style': 'off',
      '@graphql-eslint/require-description': [
        'error',
        {
          types: true,
          rootField: true,
          DirectiveDefinition: true,
          EnumValueDefinition: true,
          FieldDefinition: true,
          InputValueDefinition: true,
        },
      ],
      // What the REST service names keeps its REST spelling; what GraphQL adds is camelCase, the root fields first.
      '@graphql-eslint/naming-convention': [
        'error',
        {
          types: 'PascalCase',
          DirectiveDefinition: 'camelCase',
          EnumValueDefinition: 'UPPER_CASE',
          'FieldDefinition[parent.name.value=/^(Query|Mutation|PageInfo)$/]': 'camelCase',
        },
      ],
      // REST names again: Card.card_id, Form.form_type.
      '@graphql-eslint/no-typename-prefix': 'off',
      '@graphql-eslint/strict-id-in-types': [
        'error',
        {
          acceptedIdNames: ['id'],
          acceptedIdTypes: ['ID'],
          exceptions: { types: ['PageInfo'] },
        },
      ],
      '@graphql-eslint/relay-arguments': 'error',
      '@graphql-eslint/relay-connection-types': 'error',
      '@graphql-eslint/relay-edge-types': [
        'error',
        { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
      ],
      '@graphql-eslint/relay-page-info': 'error',
      // One failed root field must not erase the others.
      '@graphql-eslint/require-nullable-result-in-root': 'error',
    },
  },
  {
    // Pages and types of parts have no id. The types of the service stand in the other files.
    files: ['**/generated/*.graphql'],
    rules: { '@graphql-eslint/strict-id-in-types': 'off' },
  },
  {
    // The exception of serverTime stands in root.graphql, as a comment that printing drops.
    files: ['schema/generated/*.graphql'],
    rules: { '@graphql-eslint/require-nullable-result-in-root': 'off' },
  },
];
