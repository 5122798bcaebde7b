import { readFileSync } from 'node:fs';

export const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

export interface Block {
  language: string;
  text: string;
  /** The fenced block after this one, under the same heading: what an example gives. */
  next: Block | undefined;
}

const fenced = /^```(\w+)\n([\s\S]*?)^```$/gm;

/** The fenced blocks of one language, in order. */
export function readmeBlocks(language: string): Block[] {
  const sections = readme.replaceAll(fenced, (block) => block.replaceAll('\n#', '\n\\#')).split(/^#+ /m);
  const blocks = sections.flatMap((section) => {
    const found: Block[] = [];
    for (const [, name = '', text = ''] of section.matchAll(fenced)) {
      const block: Block = { language: name, text: text.replaceAll('\n\\#', '\n#'), next: undefined };
      const before = found.at(-1);
      if (before) before.next = block;
      found.push(block);
    }
    return found;
  });
  return blocks.filter((block) => block.language === language);
}

/** What stands between backticks in the text. */
export function inlineCode(): string[] {
  return [...readme.replaceAll(fenced, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/** The rows of the table whose first column has this heading. */
export function readmeTable(heading: string): string[][] {
  const start = readme.indexOf(`\n| ${heading} |`) + 1;
  if (start === 0) throw new Error(`README.md has no table of ${heading}`);
  const [table = ''] = readme.slice(start).split('\n\n', 1);
  const [, , ...rows] = table.trim().split('\n');
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}
