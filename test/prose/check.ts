/**
 * Reads comments, test names, messages and pages, and reports prose that breaks the rules of CONTRIBUTING.md.
 * `node test/prose/check.ts packages/base docs` checks those paths; without paths, everything.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { identifiersOf, passagesOf } from './passages.ts';
import { findingsInIdentifier, findingsInPassage, retiredWords } from './rules.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
/** Written by programs, recorded, or full of retired words by their nature. */
const exempt =
  /^(src\/generated|examples\/second-service\/generated|schema\/(?:generated|released)|test\/golden-calls\.md|test\/prose|docs\/glossary\.md|bench\/(peers|results|before))/;

const retired = retiredWords(read('docs/glossary.md'));
/** Names that the service has given, which the code cannot choose. */
const ofService = new Set(read('schema/rest-service.openapi.yaml').match(/\w+(?=:\s)/g));
const asked = process.argv.slice(2).map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''));

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(tsx?|graphql|ya?ml|md)$/.test(path) && !exempt.test(path) && existsSync(new URL(path, root)))
  .filter((path) => asked.length === 0 || asked.some((folder) => path === folder || path.startsWith(`${folder}/`)));

let count = 0;
for (const path of files) {
  const source = read(path);
  const findings = [
    ...passagesOf(path, source).flatMap((passage) => findingsInPassage(passage, retired)),
    ...identifiersOf(path, source)
      .filter(({ name }) => !ofService.has(name))
      .flatMap((identifier) => findingsInIdentifier(identifier, retired)),
  ];
  for (const { line, message } of findings.sort((a, b) => a.line - b.line)) console.log(`${path}:${line} ${message}`);
  count += findings.length;
}
if (count > 0) {
  console.log(`\n${count} places to write more plainly in ${files.length} files.`);
  console.log('CONTRIBUTING.md has the rules. docs/glossary.md has the words to write in place of retired ones.');
  process.exitCode = 1;
}
