/** The outcome of a check. `advice` says what to do. */
export interface Finding {
  state: 'ok' | 'warning' | 'failed' | 'skipped';
  found: string;
  advice?: string;
}

/** A check that fails ends in a finding, and never throws. */
export interface Check {
  name: string;
  run(): Promise<Finding> | Finding;
}

const marks: Record<Finding['state'], string> = { ok: '✓', warning: '!', failed: '✗', skipped: '–' };

/** Runs checks one after the other, and prints a line for each. Resolves with whether none has failed. */
export async function runChecks(checks: readonly Check[], print: (text: string) => void): Promise<boolean> {
  const width = Math.max(...checks.map(({ name }) => name.length));
  let isWell = true;
  for (const { name, run } of checks) {
    const { state, found, advice } = await run();
    print(`${marks[state]} ${name.padEnd(width)}  ${found}\n`);
    if (advice) print(`  ${' '.repeat(width)}  → ${advice}\n`);
    isWell &&= state !== 'failed';
  }
  return isWell;
}
