import { type Generated, rowKindsOf } from '@gateway/contract/codegen';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import { parse } from 'graphql';

const header = `// Written by \`npm run codegen\`; not to be edited.
import type { UploadedFile } from '@gateway/graphql-serve';
import type { Connection, FoundRows } from '@gateway/rest-graph';
import type { DateTime as Time } from '@gateway/upstream';
import type { components } from './rest-service.ts';
`;

/** The types of the schema and of its resolvers, as graphql-codegen writes them: the text of src/generated/graph.ts. */
export async function graphTypes({ contract, files }: Generated): Promise<string> {
  const types = await codegen({
    filename: 'src/generated/graph.ts',
    schema: parse(files['schema.graphql']),
    documents: [],
    plugins: [{ typescript: {} }, { resolvers: {} }],
    pluginMap: { typescript, resolvers },
    importExtension: '.ts',
    config: {
      contextType: '@gateway/rest-graph#RequestContext',
      mappers: mappersOf(contract),
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
      disableDescriptions: true,
    },
  });
  return `${header}${types}\n`;
}

/** Parents and results of resolvers: the unchanged object of the REST service, in the form of the GET by id. */
function mappersOf({ types, endpoints }: Generated['contract']): Record<string, string> {
  const rest = (schema: string) => `components['schemas']['${schema}']`;
  const schemaOf = (kind: string) =>
    endpoints.find((endpoint) => endpoint.does === 'get' && endpoint.kind === kind)?.response;
  return Object.fromEntries([
    ...[...types.keys()].map((kind) => [kind, rest(schemaOf(kind) ?? kind)]),
    ...endpoints
      .filter(({ does }) => does === 'list')
      .map(({ kind }) => [`${kind}Connection`, `Connection<${rest(kind)}>`]),
    ...rowKindsOf(endpoints).map((kind) => [`${kind}Rows`, `FoundRows<${rest(kind)}>`]),
    ['UnknownEntity', '{ id: string }'],
  ]);
}
