import ts from 'typescript';

/** One piece of prose: a comment, a test's name, a message, a paragraph, an item of a list or a cell of a table. */
export interface Passage {
  line: number;
  text: string;
}

export interface Identifier {
  line: number;
  name: string;
}

/** A word that stands for a span of code, a link or a value in a sentence. */
const span = 'Span';

export function passagesOf(path: string, source: string): Passage[] {
  if (/\.tsx?$/.test(path)) return typeScriptPassages(path, source);
  if (path.endsWith('.md')) return markdownPassages(source);
  return path.endsWith('.graphql') ? graphQLPassages(source) : hashComments(source);
}

/** The names that a TypeScript file declares: imported names and properties of others are not its choice. */
export function identifiersOf(path: string, source: string): Identifier[] {
  if (!/\.tsx?$/.test(path)) return [];
  const file = parse(path, source);
  const found: Identifier[] = [];
  visit(file, (node) => {
    const { name } = node as { name?: ts.Node };
    const isDeclared = ts.isPropertyAssignment(node) || 'symbol' in node || ts.isBindingElement(node);
    if (!name || !isDeclared || ts.isPropertyAccessExpression(node) || ts.isImportSpecifier(node)) return;
    if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) {
      found.push({ line: lineAt(file, name.getStart(file)), name: name.text.replace(/^#/, '') });
    }
  });
  return found;
}

function parse(path: string, source: string): ts.SourceFile {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(path, source, ts.ScriptTarget.ESNext, true, kind);
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  for (const child of node.getChildren()) if (!ts.isJSDoc(child)) visit(child, see);
}

function lineAt(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}

function typeScriptPassages(path: string, source: string): Passage[] {
  const file = parse(path, source);
  const comments = new Map<number, ts.CommentRange>();
  const texts: Passage[] = [];
  visit(file, (node) => {
    if (node.kind !== ts.SyntaxKind.JsxText && node.getChildCount(file) === 0) {
      const ranges = [
        ...(ts.getLeadingCommentRanges(source, node.pos) ?? []),
        ...(ts.getTrailingCommentRanges(source, node.end) ?? []),
      ];
      for (const range of ranges) comments.set(range.pos, range);
    }
    const text = textOf(node);
    if (text !== undefined) texts.push({ line: lineAt(file, node.getStart(file)), text });
  });
  return [...joinedComments(file, [...comments.values()]), ...texts];
}

/** Runs of `//` on lines that follow each other are one comment. */
function joinedComments(file: ts.SourceFile, ranges: ts.CommentRange[]): Passage[] {
  const blocks: { line: number; end: number; column: number; isLines: boolean; text: string }[] = [];
  for (const { pos, end, kind } of ranges.sort((a, b) => a.pos - b.pos)) {
    const { line, character: column } = file.getLineAndCharacterOfPosition(pos);
    const isLines = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const text = isLines ? file.text.slice(pos + 2, end) : file.text.slice(pos, end);
    const last = blocks.at(-1);
    if (isLines && last?.isLines && last.end === line && last.column === column) {
      last.text += `\n${text}`;
      last.end = line + 1;
    } else blocks.push({ line: line + 1, end: line + 1, column, isLines, text });
  }
  return blocks.flatMap(({ line, text }) => (isDirective(text) ? [] : markdownPassages(unstarred(text), line)));
}

const isDirective = (text: string) => /^[\s/*!#]*(biome-|eslint-|@ts-|@vitest|prettier|#__|c8|\/usr)/.test(text);

function unstarred(text: string): string {
  return text
    .replace(/^\/\*+/, '')
    .replace(/\*\/$/, '')
    .replaceAll(/^[^\S\n]*\*[^\S\n]?/gm, '')
    .replaceAll(/^[^\S\n]*@(?:param\s+\S+|throws(?:\s+[A-Z]\w+)?|returns|example|default|see)\s*/gm, '\n')
    .replaceAll(/\{@link\s+[^}]*\}/g, span);
}

/** The name of a test, or a string that is a sentence: a message for somebody. */
function textOf(node: ts.Node): string | undefined {
  if (!ts.isStringLiteral(node) && !ts.isNoSubstitutionTemplateLiteral(node) && !ts.isTemplateExpression(node)) return;
  const text = ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }) => `${span}${literal.text}`).join('')
    : node.text;
  if (isTestName(node)) return spanned(text.replaceAll(/[$%][\w.]+/g, span));
  const isSentence = /^[A-Z][\w'’-]*,? [\s\S]*[.!]$/.test(text) && text.split(/\s+/).length > 3;
  return isSentence ? spanned(text) : undefined;
}

function isTestName(node: ts.Node): boolean {
  const call = node.parent;
  if (!ts.isCallExpression(call) || call.arguments[0] !== node) return false;
  return /^(test|describe|it|suite)\b/.test(call.expression.getText());
}

function graphQLPassages(source: string): Passage[] {
  const found: Passage[] = [];
  const withoutBlocks = source.replaceAll(/"""([\s\S]*?)"""|"([^"\n]+)"/g, (block, long, short, at) => {
    const line = source.slice(0, at).split('\n').length;
    if (long !== undefined || /^\s*$/.test(source.slice(source.lastIndexOf('\n', at) + 1, at))) {
      found.push(...markdownPassages(long ?? short, line));
    }
    return block.replaceAll(/[^\n]/g, '');
  });
  return [...found, ...hashComments(withoutBlocks)];
}

function hashComments(source: string): Passage[] {
  const comments: { line: number; end: number; text: string }[] = [];
  for (const [index, line] of source.split('\n').entries()) {
    const [, text] = /(?:^|\s)# ?(.*)$/.exec(line.replaceAll(/'[^']*'|"[^"]*"/g, span)) ?? [];
    if (text === undefined || isDirective(text)) continue;
    const last = comments.at(-1);
    if (last?.end === index && /^\s*#/.test(line)) {
      last.text += `\n${text}`;
      last.end = index + 1;
    } else comments.push({ line: index + 1, end: index + 1, text });
  }
  return comments.flatMap(({ line, text }) => markdownPassages(text, line));
}

/** Paragraphs, items and cells; code, links and pictures each become one word. */
function markdownPassages(source: string, firstLine = 1): Passage[] {
  const found: Passage[] = [];
  let open: Passage | undefined;
  const blank = (block: string) => block.replaceAll(/[^\n]/g, '');
  const prose = spanned(
    source.replaceAll(/^([^\S\n]*)(```|~~~)[\s\S]*?^\1\2[^\S\n]*$/gm, blank).replaceAll(/<!--[\s\S]*?-->/g, blank),
  );
  for (const [index, line] of prose.split('\n').entries()) {
    const at = firstLine + index;
    if (/^\s*\|/.test(line)) {
      open = undefined;
      if (/^[\s|:-]+$/.test(line)) continue;
      for (const cell of line.split('|')) if (cell.trim()) found.push({ line: at, text: cell.trim() });
      continue;
    }
    const [, marker, rest = ''] = /^(\s*(?:[-*+]|\d+\.|#+|>)\s+)?(.*)$/.exec(line) ?? [];
    if (!rest.trim()) {
      open = undefined;
    } else if (open && marker === undefined) {
      open.text += ` ${rest.trim()}`;
    } else {
      open = { line: at, text: rest.trim() };
      found.push(open);
      if (marker?.includes('#')) open = undefined;
    }
  }
  return found;
}

function spanned(text: string): string {
  const newlines = (code: string) => span + code.replaceAll(/[^\n]/g, '');
  return text
    .replaceAll(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, newlines)
    .replaceAll(/!?\[[^\]]*\]\([^)]*\)/g, newlines)
    .replaceAll(/<?https?:\/\/[^\s>)]+>?/g, span);
}
