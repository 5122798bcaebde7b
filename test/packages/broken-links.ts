import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Links of the pages in a folder that lead to no file there. */
export function brokenLinks(folder: string): string[] {
  return globSync('**/*.md', { cwd: folder }).flatMap((page) => {
    const links = readFileSync(join(folder, page), 'utf8').matchAll(/\]\(([^):#\s]+)(?:#[^)\s]*)?\)/g);
    const targets = [...links].map(([, target = '']) => target);
    return targets.filter((target) => !existsSync(join(folder, dirname(page), target))).map((to) => `${page}: ${to}`);
  });
}
