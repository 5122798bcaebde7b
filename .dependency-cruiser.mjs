/**
 * Who may import whom. A package is entered by its door alone, and names the other packages that it may import; the
 * folders inside a package name the folders that they stand on. A library has one importer. `npm run check` holds the code
 * to this table.
 */

import { readdirSync } from 'node:fs';

const engine = ['contract', 'upstream', 'rest-graph'];

/** Packages: a name below packages/, the packages that it may import, the reason. */
const packages = [
  ['base', [], 'What the engine and the server share knows neither of them.'],
  ['contract', ['base'], 'The contract is data, tables that follow from it, and the generators.'],
  ['upstream', ['base', 'contract'], 'The service is called in one way, whoever asks.'],
  ['rest-graph', ['base', 'contract', 'upstream'], 'The engine does not know who serves its schema.'],
  ['graphql-serve', ['base'], 'The server does not know what stands behind its schema.'],
  ['replicas', ['base', 'graphql-serve'], 'Replicas know the server, and not what it serves.'],
  [
    'push',
    ['base', ...engine, 'graphql-serve'],
    'A field of Mutation over the writes of the engine, and a route to it.',
  ],
  ['identify', ['base', ...engine], 'Fields of Query over an index of lists of the engine.'],
  ['files', ['base', ...engine, 'graphql-serve'], 'A way to answer over the lists of the engine.'],
  ['defer', ['base', ...engine, 'graphql-serve'], 'A way to answer over the loads of the engine.'],
  ['map', ['base', ...engine, 'graphql-serve', 'files'], 'A kind of file, over the lists of the engine.'],
  ['trusted-documents', ['base', 'graphql-serve'], 'A store of documents by ids.'],
  ['media', ['base', ...engine, 'graphql-serve'], 'A route to the files of the service.'],
  ['sign-in', ['base', ...engine, 'graphql-serve'], 'A route to the endpoints that give tokens, and fields.'],
  ['totals', ['base', ...engine], 'Fields over the lists of the engine.'],
  ['lineage', ['base', ...engine], 'Fields over the references and lists of the engine.'],
  ['federation', ['base', ...engine], 'Two fields of Query over the references of the engine.'],
  ['usage', ['base', ...engine, 'graphql-serve', 'cost-report'], 'A subscriber of requests, and a command.'],
  ['drift', ['base', ...engine, 'graphql-serve'], 'A subscriber of calls, and a command.'],
  [
    'cost-report',
    ['base', ...engine, 'graphql-serve', 'trusted-documents', 'sandbox'],
    'The report runs whole gateways.',
  ],
  ['telemetry', ['base', ...engine, 'graphql-serve'], 'Exports are made of what was observed.'],
  ['command', ['base'], 'Flags and checks know neither the engine nor the server.'],
  ['graphiql', ['graphql-serve'], 'The page imports nothing of the gateway.'],
  [
    'sandbox',
    [],
    'The sandbox is written from the specification alone, so that a misreading cannot pass on both sides.',
  ],
  ['testing', ['base', ...engine, 'graphql-serve', 'sandbox'], 'The package for tests of apps runs whole gateways.'],
];

for (const entry of readdirSync(new URL('packages', import.meta.url), { withFileTypes: true })) {
  if (!entry.isDirectory() || packages.some(([name]) => name === entry.name)) continue;
  throw new Error(`packages/${entry.name}/ has no row in .dependency-cruiser.mjs. Add what it may import, and why.`);
}

/** The package for tests of apps holds the gateway of this service. */
const ofThisService = '^packages/testing/';

/** Folders of the engine and of the server, the other folders of the package that each may import, the reason. */
const folders = [
  ['base/errors', ['base'], 'One page of error codes.'],
  ['base/executor', ['base', 'base/errors'], 'The executor knows GraphQL, and nothing of what is executed.'],
  ['contract/codegen', ['contract'], 'Generators read the contract and the SDL.'],
  ['graphql-serve/uploads', [], 'A form is read without knowing what it asks for.'],
  ['replicas/redis', [], 'Redis knows nothing of what is stored in it.'],
  ['replicas/idempotency', ['replicas/redis'], 'Records of writes do not depend on who writes.'],
];

/** Libraries that one place alone imports. */
const importers = {
  undici: [
    'packages/(upstream|media|sign-in)/',
    'The service is called through upstream alone, for files through media, and for tokens through sign-in.',
  ],
  dataloader: ['packages/rest-graph/load/batch\\.ts', 'References are batched through one file.'],
  busboy: [
    'packages/(graphql-serve/uploads|sandbox)/',
    'Forms of clients are parsed in one folder, and by the sandbox for itself.',
  ],
  '@apollo/server': ['packages/graphql-serve/operations/apollo\\.ts', 'Apollo Server is set up in one file.'],
  fastify: ['packages/sandbox/', 'Fastify serves the sandbox alone.'],
  'prom-client': ['packages/graphql-serve/watch/metrics\\.ts', 'Metrics are exported in one file.'],
  '@opentelemetry': ['packages/telemetry/', 'OpenTelemetry is loaded by its part alone.'],
  'sonic-boom': ['packages/graphql-serve/watch/log-output\\.ts', 'Lines leave through one file.'],
  '@redis/client': [
    'packages/(replicas/redis|command)/',
    'Redis is reached through one folder, and tried by the doctor.',
  ],
};

const code = '^(src|packages|examples)/';

/** Tests of a package may start the whole gateway, and look inside. */
const tests = '^packages/[^/]+/test/';
const inside = (name) => `^packages/${name}/`;
const door = (name) => `^packages/${name}/(command|codegen|(codegen/)?index)\\.ts$`;

export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Two files that need each other, if only for a type, are one idea, or miss a third file.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'OpenTelemetry on demand',
      severity: 'error',
      comment: 'A gateway without `OTEL_` variables does not load its packages.',
      from: { path: '^packages/telemetry/(index|open-telemetry)\\.ts' },
      to: { path: '^packages/telemetry/exports', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'Redis on demand',
      severity: 'error',
      comment: 'A gateway without `REDIS_URL` does not load its client.',
      from: {},
      to: {
        path: '^packages/replicas/redis/connection\\.ts',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'declared',
      severity: 'error',
      comment: 'The package.json of a package has what the package imports, because others install it alone.',
      from: { path: '^packages/', pathNot: tests },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no package knows the app',
      severity: 'error',
      comment: 'Packages serve any service.',
      from: { path: '^packages/', pathNot: [ofThisService, tests] },
      to: { path: '^src/' },
    },
    {
      name: 'the example stands on packages alone',
      severity: 'error',
      comment: 'Another service needs nothing of the app, and nothing that a test has.',
      from: { path: '^examples/second-service/' },
      to: { path: '^(src|test|bench|schema)/' },
    },
    ...packages.flatMap(([name, others, comment]) => [
      {
        name: `from ${name}`,
        severity: 'error',
        comment,
        from: { path: inside(name), pathNot: [ofThisService, tests] },
        to: { path: '^packages/', pathNot: [inside(name), ...others.map(inside)] },
      },
      {
        name: `into ${name} by its door`,
        severity: 'error',
        comment: 'What a package offers stands in its index.ts.',
        from: { path: code, pathNot: [inside(name), tests] },
        to: { path: inside(name), pathNot: door(name) },
      },
    ]),
    ...folders.map(([folder, others, comment]) => ({
      name: `from ${folder}`,
      severity: 'error',
      comment,
      from: { path: inside(folder) },
      to: {
        path: inside(folder.split('/')[0]),
        pathNot: [folder, ...others].map((each) => (each.includes('/') ? inside(each) : `^packages/${each}/[^/]+$`)),
      },
    })),
    ...Object.entries(importers).map(([library, [path, comment]]) => ({
      name: `only one imports ${library}`,
      severity: 'error',
      comment,
      from: { path: code, pathNot: [`^${path}`, tests] },
      to: { path: `node_modules/${library}/` },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
