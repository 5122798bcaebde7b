import { globSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

export interface Page {
  /** Below the root. */
  path: string;
  text: string;
}

export interface Block {
  page: string;
  language: string;
  text: string;
  /** The fenced block after this one, under the same heading: the answer or the calls of an example. */
  next: Block | undefined;
}

/** README.md, CONTRIBUTING.md, docs/, and the pages of parts and examples whose operations and commands are tried. */
export const pages: Page[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync(['docs/**/*.md', 'packages/*/README.md', 'examples/{agents,clients/caches,screens}/README.md'], {
    cwd: root,
    exclude: ['packages/sandbox/*'],
  }).sort(),
].map(readPage);

export function readPage(path: string): Page {
  return { path, text: readFileSync(new URL(path, root), 'utf8') };
}

const fenced = /^```(\w+)\n([\s\S]*?)^```$/gm;

/** The fenced blocks of one language, page by page. */
export function blocks(language: string): Block[] {
  return pages.flatMap(blocksOf).filter((block) => block.language === language);
}

function blocksOf({ path, text }: Page): Block[] {
  const sections = text.replaceAll(fenced, (block) => block.replaceAll('\n#', '\n\\#')).split(/^#+ /m);
  return sections.flatMap((section) => {
    const found: Block[] = [];
    for (const [, language = '', code = ''] of section.matchAll(fenced)) {
      const block: Block = { page: path, language, text: code.replaceAll(/^\\#/gm, '#'), next: undefined };
      const before = found.at(-1);
      if (before) before.next = block;
      found.push(block);
    }
    return found;
  });
}

export function withoutBlocks(text: string): string {
  return text.replaceAll(fenced, '');
}

/** The spans between backticks in the text of a page. */
export function inlineCode({ text }: Page): string[] {
  return [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/** The rows of the table of a page whose first column has this heading. */
export function table(path: string, heading: string): string[][] {
  const { text } = readPage(path);
  const start = text.indexOf(`\n| ${heading} |`) + 1;
  if (start === 0) throw new Error(`${path} has no table of ${heading}`);
  const [, , ...rows] = (text.slice(start).match(/^(?:\|.*\n)+/)?.[0] ?? '').trim().split('\n');
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

/** The anchors of headings, as GitHub makes them. */
export function anchorsOf({ text }: Page): string[] {
  return [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
