import { inTurn } from '@gateway/base';
import { checkDocument, type DocumentCheck, requireFewLines } from '@gateway/graphql-serve';
import { type DocumentNode, Kind, Lexer, parse, Source, TokenKind } from 'graphql';
import { readManifest } from './manifest.ts';

/** A document that fits the schema and the limits. */
export interface TrustedDocument {
  /** As its manifest gives it. */
  id: string;
  text: string;
  /** Clients print one document in several ways. */
  tokens: string | undefined;
}

/** By ids without a prefix. */
export type DocumentsById = ReadonlyMap<string, TrustedDocument>;

/** Milliseconds of checks between which the gateway answers requests. */
const sliceMs = 5;

export interface ManifestCheck extends DocumentCheck {
  /** Documents that are checked already, by their text. */
  known: ReadonlyMap<string, TrustedDocument>;
}

/**
 * Adds the documents of one manifest.
 * @throws Error that names the operation which fits neither the schema nor the limits, or the id of another document.
 */
export async function addManifest(
  documents: Map<string, TrustedDocument>,
  manifest: string,
  { known, ...check }: ManifestCheck,
): Promise<void> {
  let sliceEnd = performance.now() + sliceMs;
  for (const { id, text } of readManifest(manifest)) {
    const key = bareId(id);
    if ((documents.get(key)?.text ?? text) !== text) throw new Error(`${id}: Another document has the same id.`);
    documents.set(key, { ...(known.get(text) ?? checkText(id, text, check)), id });
    if (performance.now() < sliceEnd) continue;
    await new Promise<void>(inTurn);
    sliceEnd = performance.now() + sliceMs;
  }
}

/** Some tools put the name of the digest before an id. */
export function bareId(id: string): string {
  return id.replace(/^sha256:/, '');
}

function checkText(id: string, text: string, check: DocumentCheck): TrustedDocument {
  const maxTokens = check.limits.tokens;
  let name = id;
  try {
    const document = parse(text);
    name = namesOf(document) || id;
    requireFewLines(text, maxTokens);
    checkDocument(document, check);
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`);
  }
  return { id, text, tokens: tokensOf(text, maxTokens) };
}

/**
 * The tokens of a text, joined by one space. Undefined for a text with too many tokens, or with none that GraphQL knows.
 * To read all tokens is the longest step before a text is refused.
 */
export function tokensOf(text: string, maxTokens: number): string | undefined {
  try {
    requireFewLines(text, maxTokens);
    const lexer = new Lexer(new Source(text));
    const tokens: string[] = [];
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      if (tokens.length === maxTokens) return undefined;
      tokens.push(text.slice(token.start, token.end));
    }
    return tokens.join(' ');
  } catch {
    return undefined;
  }
}

/** Undefined for a text that is not GraphQL, or that has too many tokens. */
export function namesIn(text: string, maxTokens: number): string | undefined {
  try {
    return namesOf(parse(text, { maxTokens, noLocation: true }));
  } catch {
    return undefined;
  }
}

/** The names of its operations. */
function namesOf({ definitions }: DocumentNode): string {
  const names = definitions.flatMap((node) => (node.kind === Kind.OPERATION_DEFINITION ? [node.name?.value] : []));
  return names.filter((name) => name !== undefined).join(', ');
}
