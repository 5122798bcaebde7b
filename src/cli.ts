import { readFileSync } from 'node:fs';
import { type Flag, runCommand } from '@gateway/command';
import { places } from './config/variables.ts';

const mostUsed = new Set([
  ...['PORT', 'HOST', 'UPSTREAM_URL', 'UPSTREAM_DIALECT', 'WORKERS', 'CONFIG'],
  ...['CORS_ORIGINS', 'GRAPHIQL', 'MEMORY_LIMIT', 'REDIS_URL', 'LOG_LEVEL'],
]);

const usage = `traceability-gateway [command] [flags]

  start     serves GraphQL over the service at --upstream-url; without it, over a sandbox. This is the default.
  sandbox   serves the sandbox alone
  config    prints the settings that are in force
  doctor    checks this machine and the service, and says for each problem what to do
`;

/** Each setting that has a variable, as a flag: `UPSTREAM_URL` → `--upstream-url`. */
const flags = new Map<string, Flag>(
  places.flatMap(({ variable, about }) => (variable ? [flag(variable, about)] : [])),
).set(...flag('CONFIG', 'File with the other settings; `gateway.yaml` by default.'));

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const main = withFlags(() => import('./main.ts'));
const commands = {
  start: main,
  sandbox: main,
  config: withFlags(() => import('./config/print.ts')),
  doctor: withFlags(() => import('./commands/doctor.ts')),
};

try {
  await runCommand(process.argv.slice(2), { usage, version, flags, commands });
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}

/** Settings have one reader, which takes them from the environment. Workers get the same flags. */
function withFlags(run: () => Promise<unknown>) {
  return (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) process.env[name.toUpperCase().replaceAll('-', '_')] = value;
    return run();
  };
}

function flag(variable: string, about: string): [string, Flag] {
  return [variable.toLowerCase().replaceAll('_', '-'), { about, isMostUsed: mostUsed.has(variable) }];
}
