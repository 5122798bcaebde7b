#!/usr/bin/env node
// Plain JavaScript without newer syntax, so that an older Node can say what to do.
const least = 24;
if (Number(process.versions.node.split('.')[0]) < least) {
  console.error(
    `This is Node ${process.versions.node}, and the gateway needs Node ${least}. Install it, or let npx bring it: ` +
      'npx -p node@24 -p ./traceability-gateway-<version>.tgz traceability-gateway',
  );
  process.exit(1);
}
await import('./cli.ts');
