import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { saveWorld } from '@gateway/sandbox';
import { build, type InlineConfig, type Plugin } from 'vite';
import { serviceContract } from '../../src/service-contract.ts';
import { bundledFiles } from '../bundled-files.ts';

/** Makes dist/testing: the package for tests of apps. Node strips no types below node_modules, so it is JavaScript. */
const here = import.meta.dirname;
const root = join(here, '../..');
const folder = join(root, 'dist/testing');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

const smallCache = join(here, 'small-lru-cache.ts');
const smallCaches: Plugin = {
  name: 'small-caches',
  enforce: 'pre',
  resolveId: (name, importer) => (name === 'lru-cache' && importer !== smallCache ? smallCache : undefined),
};

const shared = (): InlineConfig => ({
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  // Libraries are inside, so that an install downloads nothing.
  ssr: { noExternal: true },
});

// CommonJS, which Jest takes too.
await build({
  ...shared(),
  build: {
    ssr: join(here, 'client.ts'),
    outDir: folder,
    target: 'node20',
    minify: false,
    rolldownOptions: { output: { format: 'cjs', entryFileNames: 'testing.js' } },
  },
});
await build({
  ...shared(),
  plugins: [bundledFiles(), smallCaches],
  build: {
    ssr: join(here, 'host.ts'),
    outDir: join(folder, 'host'),
    target: 'node24',
    minify: true,
    license: { fileName: 'LICENSES.md' },
    rolldownOptions: {
      // The exports by OpenTelemetry and Redis, which these gateways do not load.
      external: [/telemetry\/exports\.ts$/, /redis\/connection\.ts$/],
      output: { format: 'cjs', entryFileNames: 'host.js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});

cpSync(join(here, 'package'), folder, { recursive: true });
cpSync(join(root, 'packages/sandbox/seed/images'), join(folder, 'seed/images'), { recursive: true });
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
// For code generators and editors: introspection leaves directives out.
cpSync(join(root, 'schema/generated/schema.graphql'), join(folder, 'schema.graphql'));
writeFileSync(join(folder, 'host/world.sqlite'), saveWorld());
writeFileSync(
  join(folder, 'sandbox-types.d.ts'),
  `${textOf('packages/sandbox/framework/options.ts')}
/** An endpoint of the service, by its name in the contract. */
export type EndpointName =
${serviceContract.endpointNames.map((name) => `  | '${name}'`).join('\n')};
`,
);
writeFileSync(
  join(folder, 'testing.d.ts'),
  // An app whose `lib` lacks `await using` can write it.
  `/// <reference lib="esnext.disposable" />
${textOf('packages/testing/api.ts').replaceAll("'./sandbox-types.ts'", "'./sandbox-types.js'")}
/** Starts a gateway over a service of its own, both in memory. */
export declare function startGateway(options?: TestGatewayOptions): Promise<TestGateway>;

/** For \`expect.extend\` of Vitest, Jest and Playwright. */
export declare const matchers: Matchers;
`,
);

const { name, version, description, license } = JSON.parse(textOf('package.json'));
const entry = (types: string, path: string) => ({ types: `./${types}`, default: `./${path}` });
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify(
    {
      name,
      version,
      description: `${description}: for the tests of apps`,
      license,
      exports: {
        './testing': entry('testing.d.ts', 'testing.js'),
        './testing/vitest': entry('vitest.d.mts', 'vitest.mjs'),
        './testing/jest': entry('jest.d.ts', 'jest.js'),
        './schema.graphql': './schema.graphql',
      },
      engines: { node: '>=20' },
    },
    undefined,
    2,
  )}\n`,
);
