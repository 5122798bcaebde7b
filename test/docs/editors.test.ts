import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { validate } from '@graphql-inspector/core';
import { CodeFileLoader } from '@graphql-tools/code-file-loader';
import { print, Source } from 'graphql';
import { loadConfig } from 'graphql-config';
import { describe, expect, test } from 'vitest';

const rootDir = fileURLToPath(new URL('../../', import.meta.url));

/** The language service of editors registers the same loader for documents in code. */
const config = (await loadConfig({
  rootDir,
  extensions: [
    ({ loaders }) => {
      loaders.documents.register(new CodeFileLoader());
      return { name: 'documents in code' };
    },
  ],
}))!;

describe('.graphqlrc.yml', () => {
  test.each([
    ['schema/*.graphql', 'schema'],
    ['examples/second-service/schema/*.graphql', 'library'],
    ['packages/graphiql/examples/*.graphql', 'graphiql'],
    ['examples/react/src/*page.tsx', 'react'],
    ['examples/clients/**/documents.ts', 'clients'],
    ['examples/agents/operations/*.graphql', 'agents'],
    ['examples/screens/*.graphql', 'screens'],
    ['examples/downloads/*.graphql', 'downloads'],
  ])('gives editors the files %s in the project %s', (pattern, name) => {
    const files = globSync(pattern, { cwd: rootDir, exclude: ['**/relay', '**/node_modules'] });

    expect(files).not.toEqual([]);
    expect(files.filter((file) => config.getProjectForFile(rootDir + file).name !== name)).toEqual([]);
  });

  test.each(['graphiql', 'react', 'clients', 'agents', 'screens', 'downloads'])(
    'gives editors the valid documents of the project %s',
    async (name) => {
      const project = config.getProject(name);
      const sources = await project.getDocuments();
      const documents = sources.map(({ document, location }) => new Source(print(document!), location));

      expect(documents.length).toBeGreaterThan(0);
      expect(validate(await project.getSchema(), documents)).toEqual([]);
    },
  );
});
