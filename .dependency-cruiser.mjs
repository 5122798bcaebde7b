/**
 * Who may import whom. Each room of src/ names the other rooms that it may import from, and why it is no more; a library
 * has one importer each. `npm run check` holds the code to this table.
 */

/** Rooms: a path below src/, the rooms that it may import from, the reason. */
const rooms = [
  ['lib', [], 'lib/ knows nothing of the gateway.'],
  ['errors', ['lib'], 'The engine and the server share one page of error codes, so that neither looks up for it.'],
  [
    'generated/graph',
    ['generated/rest-service', 'request', 'uploads', 'upstream', 'loaders'],
    'Generated types of resolvers name the types of what they describe.',
  ],
  ['generated', [], 'The service is described without its readers.'],
  ['contract', ['lib/json'], 'The contract is data, and tables that follow from it.'],
  [
    'graphql/errors',
    ['errors', 'lib', 'graphql/media-types', 'request'],
    'Errors are formatted alike wherever they come from.',
  ],
  ['graphql/executor', ['lib'], 'The executor knows GraphQL, and nothing of what is executed.'],
  [
    'graphql',
    ['config', 'errors', 'contract', 'lib', 'upstream', 'loaders', 'resolvers', 'request'],
    'An operation does not know how it was asked for.',
  ],
  [
    'request',
    ['config', 'contract', 'errors', 'lib', 'upstream', 'loaders', 'idempotency', 'graphql/executor'],
    'Resolvers and the server share one request: its loads, its writes, its trace and the notes for the log and the metrics.',
  ],
  [
    'app',
    ['contract', 'errors', 'generated', 'graphql', 'lib', 'upstream', 'loaders', 'request', 'resolvers'],
    'The app is the service alone: its contract, and code for what the contract cannot say.',
  ],
  [
    'resolvers',
    ['contract', 'errors', 'generated', 'lib', 'upstream', 'loaders', 'request', 'graphql/executor'],
    'Resolvers stand on loaders; what serves them is above them.',
  ],
  [
    'loaders',
    ['contract', 'errors', 'lib', 'upstream', 'graphql/executor/field-tree'],
    'Loaders know the service, the fields that an operation selects, and the page of error codes.',
  ],
  ['upstream', ['contract', 'errors', 'lib'], 'The service is called in one way, whoever asks.'],
  ['uploads', ['errors', 'lib'], 'A form is read without knowing what it asks for.'],
  ['redis', ['config', 'lib'], 'Redis knows nothing of what is stored in it.'],
  ['idempotency', ['config', 'errors', 'lib', 'redis', 'upstream'], 'Records of writes do not depend on who writes.'],
  [
    'observability',
    ['config', 'errors', 'lib', 'upstream', 'graphql', 'idempotency', 'request', 'cluster/other-gateways'],
    'What is observed does not import its observers: it leaves notes in the request.',
  ],
  [
    'telemetry',
    ['config', 'lib', 'errors', 'graphql/executor/operation', 'observability', 'request'],
    'Exports are made of what was observed; nothing observes for them alone.',
  ],
  [
    'cluster',
    ['contract', 'lib', 'redis', 'upstream', 'observability', 'server/gateway', 'server/admin'],
    'Processes know whole gateways.',
  ],
  [
    'server',
    [
      'config',
      'errors',
      'contract',
      'lib',
      'upstream',
      'loaders',
      'uploads',
      'graphql',
      'idempotency',
      'redis',
      'request',
      'observability',
      'cluster',
      'telemetry/open-telemetry',
      'graphiql/serve',
    ],
    'HTTP is the outermost room.',
  ],
  ['graphiql', [], 'The page imports nothing of the gateway.'],
  [
    'sandbox',
    [],
    'The sandbox is written from the specification alone, so that a misreading cannot pass on both sides.',
  ],
  [
    'cost-report',
    ['app', 'config', 'contract', 'lib', 'graphql', 'upstream/service-costs', 'sandbox/server', 'server/gateway'],
    'The report runs whole gateways, and knows what calls cost.',
  ],
  [
    'drift',
    ['app/service-contract', 'contract', 'config', 'lib', 'codegen/openapi'],
    'The patch compares metrics of a gateway with the contract.',
  ],
  [
    'field-usage',
    ['app/app', 'lib', 'graphql/elements', 'graphql/schema', 'cost-report/documents'],
    'The command compares documents of apps and metrics of gateways with the schema.',
  ],
  [
    'testing',
    [
      'app',
      'contract',
      'config',
      'lib/random-hex',
      'observability/spans',
      'request',
      'sandbox/framework/open-store',
      'sandbox/framework/options',
      'sandbox/server',
      'server/gateway',
      'upstream/service-costs',
    ],
    'The package for tests of apps runs whole gateways over whole sandboxes.',
  ],
  ['codegen', ['config'], 'Generators read the contract and the SDL.'],
  [
    'config',
    ['app/service-contract', 'contract', 'lib'],
    'Settings know the contract, and nothing of the rooms that they are for.',
  ],
];

/** Libraries that one place alone imports. */
const importers = {
  undici: ['src/upstream/', 'The service is called through src/upstream/ alone.'],
  dataloader: ['src/loaders/batch\\.ts', 'References are batched through src/loaders/batch.ts alone.'],
  busboy: ['src/(uploads|sandbox)/', 'Forms of clients are parsed by src/uploads/, and by the sandbox for itself.'],
  '@apollo/server': ['src/graphql/apollo\\.ts', 'Apollo Server is set up in src/graphql/apollo.ts alone.'],
  fastify: ['src/sandbox/', 'Fastify serves the sandbox alone.'],
  'prom-client': [
    'src/(lib|observability)/metrics\\.ts',
    'Metrics are made by src/lib/metrics.ts and exported by src/observability/metrics.ts.',
  ],
  '@opentelemetry': [
    'src/telemetry/',
    'OpenTelemetry is loaded by src/telemetry/ alone, and only where it is asked for.',
  ],
  'sonic-boom': ['src/observability/log-output\\.ts', 'Lines leave through src/observability/log-output.ts alone.'],
  '@redis/client': ['src/redis/', 'Redis is reached through src/redis/ alone.'],
};

const start = (room) => `^src/${room}(/|\\.ts)`;
/** A room that is listed with its own rule is not held to that of the room around it. */
const inner = (room) => rooms.map(([name]) => name).filter((name) => name.startsWith(`${room}/`));

export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Two files that need each other are one idea, or miss a third file.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-circles of types between rooms',
      severity: 'error',
      comment: "A file and its part may name each other's types; a room and what stands on it may not.",
      from: { path: '^(src/[^/]+)/' },
      to: { circular: true, via: { pathNot: '^$1/' } },
    },
    {
      name: 'OpenTelemetry on demand',
      severity: 'error',
      comment: 'A gateway without `OTEL_` variables does not load its packages.',
      from: { path: '^src/telemetry/open-telemetry\\.ts' },
      to: { path: '^src/telemetry/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'Redis on demand',
      severity: 'error',
      comment: 'A gateway without `REDIS_URL` does not load its client.',
      from: {},
      to: { path: '^src/redis/connection\\.ts', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    ...rooms.map(([room, others, comment]) => ({
      name: `from ${room}`,
      severity: 'error',
      comment,
      from: { path: start(room), pathNot: inner(room).map(start) },
      to: { path: '^src/', pathNot: [room, ...others].map(start) },
    })),
    ...Object.entries(importers).map(([library, [path, comment]]) => ({
      name: `only one imports ${library}`,
      severity: 'error',
      comment,
      from: { path: '^src/', pathNot: `^${path}` },
      to: { path: `node_modules/${library}/` },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
