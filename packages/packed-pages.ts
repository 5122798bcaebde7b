import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A link to a file: its label, and the path of the file. */
const link = /\[([^\]]+)\]\(([^):#\s]+)(?:#[^)\s]*)?\)/g;

/**
 * Copies pages of the repository, by their paths there, to places that are packed. A link to a file that is not packed too
 * becomes a text that says where the file is.
 */
export function packPages(root: string, places: Readonly<Record<string, string>>): void {
  for (const [page, place] of Object.entries(places)) cpSync(join(root, page), place);
  for (const [page, place] of Object.entries(places)) {
    const text = readFileSync(place, 'utf8').replaceAll(link, (whole, label: string, target: string) => {
      if (existsSync(join(dirname(place), target))) return whole;
      const path = join(dirname(page), target);
      return label === path ? `${path} of the repository` : `${label} (${path} of the repository)`;
    });
    writeFileSync(place, text);
  }
}
