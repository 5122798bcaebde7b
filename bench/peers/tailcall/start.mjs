/**
 * Fills in the configuration and runs Tailcall with the C library beside it.
 * DEDUPE=1 deduplicates the reads of root fields too, as its own benchmark does, and not only those of references.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const here = new URL('.', import.meta.url).pathname;
const { PORT, UPSTREAM_URL, WORKERS = '2', DEDUPE } = process.env;
const libraries = `${here}glibc/usr/lib/x86_64-linux-gnu`;
const binary = `${here}node_modules/@tailcallhq/core-linux-x64-gnu/bin/tailcall`;

const configuration = readFileSync(`${here}config.graphql`, 'utf8')
  .replaceAll('__PORT__', PORT)
  .replaceAll('__UPSTREAM__', UPSTREAM_URL)
  .replaceAll('__WORKERS__', WORKERS)
  .replaceAll('__DEDUPE__', String(Boolean(DEDUPE)));
mkdirSync(`${here}tmp`, { recursive: true });
const file = `${here}tmp/${PORT}.graphql`;
writeFileSync(file, configuration);

const tailcall = spawn(
  `${libraries}/ld-linux-x86-64.so.2`,
  ['--library-path', `${libraries}:/lib/x86_64-linux-gnu`, binary, 'start', file],
  {
    stdio: 'inherit',
    env: { ...process.env, TAILCALL_LOG_LEVEL: 'error', TC_TRACKER: 'false', TAILCALL_TRACKER: 'false' },
  },
);
tailcall.on('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => tailcall.kill('SIGTERM'));
