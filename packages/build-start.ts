import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'vite';
import { bundledFiles } from './bundled-files.ts';

/**
 * Makes dist/start: the gateway and its libraries in a few files. Node loads them in half the time of 1,150.
 * `src/start.js` takes them until a source is newer. Functions keep their names, so that stack traces can be read.
 */
const root = join(import.meta.dirname, '..');
const built = join(root, 'dist/start');
const unfinished = `${built}-${process.pid}`;
const begunAt = new Date();
const sources: string[] = [];

/** The program of a thread, beside the code that starts it. */
const threadProgram = /`\.\/([\w-]+)\$\{extname\(import\.meta\.url\)\}`/;

/** Lets code find the files of its own folder. The programs of threads are built too. */
const ownFolders: Plugin = {
  name: 'own-folders',
  enforce: 'pre',
  transform(code, id) {
    if (id.includes('node_modules') || !id.startsWith(root)) return;
    sources.push(id);
    const program = threadProgram.exec(code)?.[1];
    if (program) this.emitFile({ type: 'chunk', id: join(dirname(id), `${program}.ts`), fileName: `${program}.js` });
    if (program || !code.includes('import.meta')) return;
    const folder = "process.getBuiltinModule('node:url').fileURLToPath(new URL('.', ownUrl))";
    const located = code.replaceAll('import.meta.url', 'ownUrl').replaceAll('import.meta.dirname', folder);
    return `const ownUrl = new URL('../../${relative(root, id)}', import.meta.url).href;\n${located}`;
  },
};

/**
 * Node copies all exports of a built-in module that is imported. Those of `node:http` include `WebSocket`, whose getter loads
 * a second undici for 40 ms.
 */
const lazyHttp: Plugin = {
  name: 'lazy-http',
  enforce: 'pre',
  resolveId: (id, _, { kind }) => (id === 'node:http' && kind === 'import-statement' ? '\0node:http' : undefined),
  load(id) {
    if (id !== '\0node:http') return;
    const exports = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(([, { get }]) => !get);
    return `export const { ${exports.map(([name]) => name)} } = process.getBuiltinModule('node:http');`;
  },
};

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  ssr: { noExternal: true },
  plugins: [bundledFiles(sources), ownFolders, lazyHttp],
  build: {
    ssr: join(root, 'src/main.ts'),
    outDir: unfinished,
    target: 'node24',
    minify: false,
    license: { fileName: 'LICENSES.md' },
    rolldownOptions: {
      output: {
        format: 'esm',
        entryFileNames: 'main.js',
        chunkFileNames: '[name]-[hash].js',
        // The process holds the text of what it loads. One character outside of Latin 1 doubles the bytes of a file.
        charset: 'ascii',
        comments: false,
      },
    },
  },
});
const list = join(unfinished, 'sources.json');
const paths = sources.map((source) => relative(root, source)).toSorted();
writeFileSync(list, `${JSON.stringify(paths, undefined, 1)}\n`);
// A source that was edited during the build is newer.
utimesSync(list, begunAt, begunAt);
// A gateway that starts meanwhile finds either all files or none.
rmSync(built, { recursive: true, force: true });
renameSync(unfinished, built);
