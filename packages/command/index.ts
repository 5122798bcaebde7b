export { checkAddress, checkCertificate, checkClock } from './address.ts';
export { type Check, type Finding, runChecks } from './checks.ts';
export { type Flag, runCommand } from './command.ts';
export { checkFolder, checkNode, type FolderUse } from './machine.ts';
export { checkRedis } from './redis.ts';
