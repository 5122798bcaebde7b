import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that run longest. Vitest begins with the largest files, and a long file that begins last runs alone. */
const longFiles = [
  'examples/react',
  'examples/react-native',
  'references/golden-calls',
  'references/property',
  'graphiql/test/waterfall',
  'files/test/files',
  'cluster/replicas',
  'examples/clients',
  'graphiql/test/plugins',
  'graphiql/test/page',
  'lists/late-pages',
  'cluster/workers',
  'graphiql/test/copy',
  'limits/least-memory',
  'http/shutdown',
  'packages/pack',
  'push/test/push-lines',
  'testing/test/package',
  'graphiql/test/estimate',
  'mutations/idempotency',
  'uploads/faults',
].map((name) => `/${name}.test.ts`);

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = longFiles.findIndex((name) => moduleId.endsWith(name));
      return index < 0 ? longFiles.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

// Programs that tests start load compiled modules: half the CPU of a start from the sources.
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/node`;

export default defineConfig({
  // graphql has two builds, and refuses schemas of the other one. All tests take the build that Node takes.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    // The tests of examples/react run in a Vitest of their own. It clears the folder that both would share.
    fsModuleCachePath: `${import.meta.dirname}/node_modules/.cache/vitest`,
    include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    sequence: { sequencer: LongFilesFirst },
    // Many tests wait for a timeout, a process or a page.
    maxWorkers: 4,
    // The files of one worker share the loaded modules, which takes a third of the time off. Each test closes what it opens.
    isolate: false,
    // A gateway and a sandbox make much garbage: with large spaces from the start, tests collect less of it.
    execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64', '--initial-heap-size=1000'],
    globalSetup: ['test/support/build-start.ts'],
    setupFiles: ['test/support/clean-up.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // No test asserts a time, because a busy machine may be slow.
    expect: { poll: { timeout: 30_000 } },
  },
});
