import { rowKindsOf } from '@gateway/contract/codegen';
import type { CodegenConfig } from '@graphql-codegen/cli';
import { describedContract } from './src/codegen/description.ts';

const { types, endpoints } = describedContract();
const rest = (schema: string) => `components['schemas']['${schema}']`;
const schemaOf = (kind: string) =>
  endpoints.find((endpoint) => endpoint.does === 'get' && endpoint.kind === kind)?.response;

/** Parents and results of resolvers: the unchanged object of the REST service, in the form of the GET by id. */
const mappers = Object.fromEntries([
  ...[...types.keys()].map((kind) => [kind, rest(schemaOf(kind) ?? kind)]),
  ...endpoints
    .filter(({ does }) => does === 'list')
    .map(({ kind }) => [`${kind}Connection`, `Connection<${rest(kind)}>`]),
  ...rowKindsOf(endpoints).map((kind) => [`${kind}Rows`, `FoundRows<${rest(kind)}>`]),
  ['UnknownEntity', '{ id: string }'],
]);

const config: CodegenConfig = {
  schema: 'schema/generated/schema.graphql',
  generates: {
    'src/generated/graph.ts': {
      plugins: [
        {
          add: {
            content: [
              '// Written by `npm run codegen`; not to be edited.',
              "import type { UploadedFile } from '@gateway/graphql-serve';",
              "import type { Connection, FoundRows } from '@gateway/rest-graph';",
              "import type { DateTime as Time } from '@gateway/upstream';",
              "import type { components } from './rest-service.ts';",
            ],
          },
        },
        'typescript',
        'typescript-resolvers',
      ],
      config: {
        contextType: '@gateway/rest-graph#RequestContext',
        mappers,
        scalars: {
          ID: 'string',
          Date: 'string',
          DateTime: { input: 'Time', output: 'string' },
          Decimal: 'string',
          JSON: 'unknown',
          Upload: { input: 'Promise<UploadedFile>', output: 'never' },
        },
        strictScalars: true,
        // A key that the service leaves out is null in GraphQL, so a resolver may return undefined.
        maybeValue: 'T | null | undefined',
        inputMaybeValue: 'T | null',
        enumsAsTypes: true,
        useTypeImports: true,
        importExtension: '.ts',
        disableDescriptions: true,
      },
    },
  },
};

export default config;
