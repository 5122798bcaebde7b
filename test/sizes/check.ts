/**
 * Counts the lines of the app and of the libraries, and fails beyond their budgets. Fails where a package that serves any
 * service names something of this one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Lines. Those of the packages are what they have, rounded up: lower them when code goes. */
const budgets = {
  src: 2_713,
  'packages/rest-graph': 8_373,
  'packages/contract': 3_947,
  'packages/upstream': 4_908,
  'packages/graphql-serve': 5_672,
  'packages/base': 2_455,
  'packages/replicas': 1_966,
};

/** Also as parts of other names. "Concurrency" and "accompany" are no names of this service, nor is the event of a socket. */
const names =
  /farmer|(?<!ac)compan(?:y|ies)|entity[ _-]?cards?|(?<!con)currenc(?:y|ies)|invoice|premium|hashid|traceability|(?:product|payment)[ _-]?transaction|(?<!\bon(?:ce)?\()(['"`])connect\1/gi;

const root = new URL('../../', import.meta.url);
const complaints: string[] = [];

for (const [folder, budget] of Object.entries(budgets)) {
  let lines = 0;
  for (const path of filesIn(folder)) {
    const text = readFileSync(new URL(path, root), 'utf8').split('\n');
    lines += text.length - 1;
    if (folder === 'src') continue;
    for (const [index, line] of text.entries()) {
      for (const [name] of line.matchAll(names)) complaints.push(`${path}:${index + 1} names this service: ${name}`);
    }
  }
  console.log(`${folder.padEnd(22)} ${String(lines).padStart(6)} of ${budget} lines`);
  if (lines > budget) {
    complaints.push(
      `${folder} has ${lines} lines. Simplify it, or raise its budget of ${budget} in test/sizes/check.ts and say why.`,
    );
  }
}
for (const complaint of complaints) console.log(complaint);
if (complaints.length > 0) process.exitCode = 1;

/** The code that people write. */
function filesIn(folder: string): string[] {
  const options = { cwd: root, encoding: 'utf8' } as const;
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', folder], options);
  return listed
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && !/\/(generated|test)\//.test(path) && existsSync(new URL(path, root)));
}
