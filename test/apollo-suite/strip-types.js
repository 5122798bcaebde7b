import { stripTypeScriptTypes } from 'node:module';

/** Jest reads TypeScript as Node does. */
export default { process: (source) => ({ code: stripTypeScriptTypes(source) }) };
