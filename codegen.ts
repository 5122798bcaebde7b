import type { CodegenConfig } from '@graphql-codegen/cli';

const rest = (schema: string) => `components['schemas']['${schema}']`;
const listed = ['Farmer', 'EntityCard', 'Card', 'Product', 'Currency', 'ProductTransaction', 'PaymentTransaction'];
const unlisted = [
  ...['User', 'CompanyMember', 'FieldVisibility', 'Premium', 'PremiumOption'],
  ...['Form', 'FormField', 'FormFieldConfig', 'Submission', 'SubmissionValue'],
];

/** What a resolver gets as its parent and returns: the object of the REST service, as it is. */
const mappers = Object.fromEntries([
  ...[...listed, ...unlisted].map((type) => [type, rest(type)]),
  ...listed.map((type) => [`${type}Connection`, `Connection<${rest(type)}>`]),
  ['Company', rest('CompanyDetail')],
  ['UnknownEntity', '{ id: string }'],
]);

const config: CodegenConfig = {
  schema: 'schema/*.graphql',
  generates: {
    'src/generated/graph.ts': {
      plugins: [
        {
          add: {
            content: [
              '// Written by `npm run codegen`; not to be edited.',
              "import type { UploadedFile } from '../uploads/multipart.ts';",
              "import type { DateTime as Time } from '../upstream/date-time.ts';",
              "import type { Connection } from '../loaders/connection.ts';",
              "import type { components } from './rest-service.ts';",
            ],
          },
        },
        'typescript',
        'typescript-resolvers',
      ],
      config: {
        contextType: '../graphql/context.ts#Context',
        mappers,
        scalars: {
          ID: 'string',
          Date: 'string',
          DateTime: { input: 'Time', output: 'string' },
          Decimal: 'string',
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
