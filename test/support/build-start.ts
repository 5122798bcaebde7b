import { execFileSync } from 'node:child_process';

/** Once before all tests: processes of gateways start from the built files in half the time. */
export async function setup(): Promise<void> {
  const { isBuilt } = await import(new URL('../../src/is-built.js', import.meta.url).href);
  if (!isBuilt()) execFileSync('npm', ['run', '-s', 'build:start'], { stdio: 'inherit' });
}
