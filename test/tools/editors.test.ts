import { existsSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { validate } from '@graphql-inspector/core';
import { print, Source } from 'graphql';
import type { GraphQLExtensionDeclaration } from 'graphql-config';
import { describe, expect, test } from 'vitest';

const rootDir = fileURLToPath(new URL('../../', import.meta.url));

const missing = !existsSync(new URL('node_modules', import.meta.url)) && !process.env.CI;
if (missing) console.warn('.graphqlrc.yml is not read as editors do: "npm run tools" installs what reads it.');

async function readConfig() {
  const { loadConfig } = await import('graphql-config');
  const { CodeFileLoader } = await import('@graphql-tools/code-file-loader');
  // The language service of editors registers the same loader for documents in code.
  const documentsInCode: GraphQLExtensionDeclaration = ({ loaders }) => {
    loaders.documents.register(new CodeFileLoader());
    return { name: 'documents in code' };
  };
  return (await loadConfig({ rootDir, extensions: [documentsInCode] }))!;
}

describe.skipIf(missing)('.graphqlrc.yml', async () => {
  const config = missing ? undefined! : await readConfig();

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
