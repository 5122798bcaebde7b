/** Composes the supergraph for the service at UPSTREAM_URL, then runs Hive Gateway on PORT. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

process.chdir(new URL('.', import.meta.url).pathname);
execFileSync(process.execPath, ['make-openapi.mjs']);
const compose = ['node_modules/@graphql-mesh/compose-cli/esm/bin.js', '-c', 'mesh.config.mjs'];
const supergraph = execFileSync(process.execPath, compose, {
  maxBuffer: 2 ** 26,
  stdio: ['ignore', 'pipe', 'inherit'],
});
mkdirSync('tmp', { recursive: true });
const file = `tmp/supergraph-${process.env.PORT}.graphql`;
writeFileSync(file, supergraph);

const gateway = spawn(
  process.execPath,
  ['node_modules/@graphql-hive/gateway/dist/bin.js', 'supergraph', '-c', 'gateway.config.mjs'],
  { stdio: 'inherit', env: { ...process.env, SUPERGRAPH: file } },
);
gateway.on('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => gateway.kill('SIGTERM'));
