import { mkdirSync, writeFileSync } from 'node:fs';
import { exitCodeOf } from '@gateway/base';
import { GraphQLError } from 'graphql';

/** Runs a generator, and writes its files: path → text. Prints mistakes of the description. Returns the exit code. */
export function writeFiles(folder: URL, generate: () => Promise<Readonly<Record<string, string>>>): Promise<number> {
  return exitCodeOf(async () => {
    for (const [path, text] of Object.entries(await generate().catch(withPlace))) {
      const file = new URL(path, folder);
      mkdirSync(new URL('.', file), { recursive: true });
      writeFileSync(file, text);
    }
    return 0;
  }, console);
}

/** An error of the SDL shows its place with toString alone. */
function withPlace(error: unknown): never {
  throw error instanceof GraphQLError ? new Error(String(error)) : error;
}
