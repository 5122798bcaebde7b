import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  // In an app of its own: the URL of the gateway.
  schema: '../../schema/generated/schema.graphql',
  documents: 'src/**/*.{ts,tsx}',
  generates: {
    'src/gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumType: 'string-literal',
        scalars: {
          DateTime: 'string',
          Date: 'string',
          Decimal: 'string',
          JSON: 'unknown',
          Upload: '../device-file.ts#DeviceFile',
        },
        strictScalars: true,
      },
    },
    'src/gql/possible-types.ts': {
      plugins: ['fragment-matcher'],
      config: { useExplicitTyping: true },
    },
  },
};

export default config;
