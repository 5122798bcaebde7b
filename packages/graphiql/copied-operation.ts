import { type DocumentNode, type OperationDefinitionNode, parse, separateOperations } from 'graphql';
import { operationOf, uploadVariables } from './operation.ts';

/** An operation on its way into a terminal, a program or a chat. */
export interface CopiedOperation {
  url: string;
  /** The operation with its fragments, and no other operation. */
  document: DocumentNode;
  definition: OperationDefinitionNode;
  variables: Record<string, unknown>;
  headers: readonly CopiedHeader[];
  /** The variable that has a file, and the file's name. */
  upload?: { variable: string; file: string };
}

export interface CopiedHeader {
  name: string;
  /** Undefined for a secret, which is never copied. */
  value: string | undefined;
}

/** Headers without a secret. Any other header may have one. */
const harmless =
  /^(accept|accept-language|cache-control|content-type|idempotency-key|x-request-id|x-trace-upstream|x-sandbox-.*|apollographql-client-.*)$/i;

/** `publicKeys`: those of the sandbox, which are no secret. */
export function copiedHeaders(headers: Headers, publicKeys: ReadonlySet<string>): CopiedHeader[] {
  return [...headers].map(([name, value]) => ({
    name: name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase()),
    value: harmless.test(name) || publicKeys.has(value) ? value : undefined,
  }));
}

/**
 * The operation of the editors.
 * @throws Error that says which editor to correct.
 */
export function copiedOperation({
  url,
  query,
  operationName,
  variables,
  headers,
}: {
  url: string;
  query: string;
  operationName?: string | undefined;
  variables: Record<string, unknown>;
  headers: readonly CopiedHeader[];
}): CopiedOperation {
  const definition = operationOf(query, operationName);
  if (!definition) throw new Error('Nothing was copied: the editor holds no single operation without a syntax error.');
  const document = separateOperations(parse(query))[definition.name?.value ?? ''] as DocumentNode;
  const [variable] = uploadVariables(definition);
  if (variable === undefined) return { url, document, definition, variables, headers };
  // The label of a chosen file begins with its name.
  const file = /^(.+) \([\d,]+ bytes?, changed /.exec(String(variables[variable]))?.[1] ?? 'file.pdf';
  return {
    url,
    document,
    definition,
    headers,
    variables: { ...variables, [variable]: null },
    upload: { variable, file },
  };
}
