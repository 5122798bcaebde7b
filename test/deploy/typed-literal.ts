import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const here = fileURLToPath(new URL('literals.ts', import.meta.url));

/**
 * The errors of values as literals of their types. Unlike other values, a literal may have no key that its type lacks.
 * `imports`: the lines that import the types.
 */
export function typeErrors(imports: string, literals: readonly { type: string; value: unknown }[]): string[] {
  const lines = literals.map(({ type, value }, at) => `export const literal${at}: ${type} = ${JSON.stringify(value)};`);
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  const source = [imports, ...lines].join('\n');
  host.fileExists = (path) => path === here || fileExists(path);
  host.readFile = (path) => (path === here ? source : readFile(path));
  host.getSourceFile = (path, ...rest) =>
    path === here ? ts.createSourceFile(path, source, ts.ScriptTarget.ESNext) : getSourceFile(path, ...rest);
  const program = ts.createProgram([here], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').split('\n').at(-1)!.trim());
}
