import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'graphql';
import type { Plugin } from 'vite';

type Replacement = (folder: string, path: string) => { code: string; imports?: string };

/** Places in the code that look for files, which a bundle does not have. */
const places: Record<string, { looks: RegExp; replacement: Replacement }> = {
  '/packages/sandbox/framework/resources.ts': {
    looks: /await importAll<[^(]*>\(new URL\('([^']+)', import\.meta\.url\)\)/g,
    replacement(folder, path) {
      const files = readdirSync(join(folder, path)).filter((name) => /^(?!index|server).*\.ts$/.test(name));
      const modules = files.toSorted().map((file) => ({ file, name: `${path}${file}`.replaceAll(/\W/g, '_') }));
      const imports = modules.map(({ file, name }) => `import * as ${name} from '${path}${file}';\n`).join('');
      return { code: `[${modules.map(({ name }) => name)}]`, imports };
    },
  },
  '/src/app.ts': {
    looks: /readFileSync\(new URL\('([^']+)', import\.meta\.url\), 'utf8'\)/g,
    // Parsed already, which makes the start a tenth shorter.
    replacement(folder, path) {
      const document = parse(readFileSync(join(folder, path), 'utf8'), { noLocation: true });
      return { code: `JSON.parse(${JSON.stringify(JSON.stringify(document))})` };
    },
  },
};

/** Puts the files themselves there. Adds the paths of these files and folders to `read`. */
export function bundledFiles(read: string[] = []): Plugin {
  return {
    name: 'bundled-files',
    enforce: 'pre',
    transform(code, id) {
      const place = Object.entries(places).find(([file]) => id.endsWith(file))?.[1];
      if (!place) return;
      let head = '';
      const bundled = code.replaceAll(place.looks, (_, path: string) => {
        read.push(join(dirname(id), path));
        const { code, imports = '' } = place.replacement(dirname(id), path);
        head += imports;
        return code;
      });
      if (bundled === code) this.error(`${id} looks for its files in another way than bundled-files.ts knows.`);
      return head + bundled;
    },
  };
}
