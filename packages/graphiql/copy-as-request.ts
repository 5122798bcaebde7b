import { print, stripIgnoredCharacters } from 'graphql';
import type { CopiedHeader, CopiedOperation } from './copied-operation.ts';

/** A command for bash. Secrets come from variables of the shell. */
export function curlOf({ url, document, definition, variables, headers, upload }: CopiedOperation): string {
  const operations = JSON.stringify({
    query: stripIgnoredCharacters(print(document)),
    ...(definition.name && { operationName: definition.name.value }),
    variables,
  });
  const lines = [`curl ${quoted(url)}`, ...headers.map(curlHeader)];
  if (upload) {
    const map = JSON.stringify({ 0: [`variables.${upload.variable}`] });
    const path = upload.file.replace(/["\\]/g, '\\$&');
    lines.push("-H 'Apollo-Require-Preflight: true'");
    lines.push(`--form-string ${quoted(`operations=${operations}`)}`, `--form-string ${quoted(`map=${map}`)}`);
    lines.push(`-F ${quoted(`0=@"${path}"`)}`);
  } else lines.push("-H 'Content-Type: application/json'", `--data-raw ${quoted(operations)}`);
  return `${lines.join(' \\\n  ')}\n`;
}

function curlHeader({ name, value }: CopiedHeader): string {
  if (value !== undefined) return `-H ${quoted(`${name}: ${value}`)}`;
  // Both may be part of a name, and bash would run what is between two of the first.
  return `-H "${name.replace(/[`$]/g, '\\$&')}: $${secretOf(name)}"`;
}

/** The shell's variable of a secret header. */
export function secretOf(name: string): string {
  return name.toUpperCase().replace(/\W/g, '_');
}

/** Bash reads everything between single quotes as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A module for browsers, and without an upload for Node too. Secrets are constants to fill in. */
export function fetchOf({ url, document, definition, variables, headers, upload }: CopiedOperation): string {
  const secrets = headers.filter(({ value }) => value === undefined);
  const all = [
    ...headers.map(({ name, value }) => [name, value === undefined ? secretName(name) : literal(value)]),
    upload ? ['Apollo-Require-Preflight', "'true'"] : ['Content-Type', "'application/json'"],
  ];
  const name = definition.name ? `\n    operationName: ${literal(definition.name.value)},` : '';
  const operation = `{
    query: ${template(print(document))},${name}
    variables: ${JSON.stringify(variables, null, 2).replaceAll('\n', '\n    ')},
  }`;
  const form = upload && [
    "const [file] = document.querySelector('input[type=file]').files;",
    'const form = new FormData();',
    `form.append('operations', JSON.stringify(${operation.replaceAll('\n  ', '\n')}));`,
    `form.append('map', JSON.stringify({ 0: [${literal(`variables.${upload.variable}`)}] }));`,
    "form.append('0', file);",
  ];
  return [
    ...secrets.map((secret) => `const ${secretName(secret.name)} = ''; // Put your secret here.`),
    ...(form ?? []),
    `const response = await fetch(${literal(url)}, {`,
    "  method: 'POST',",
    '  headers: {',
    ...all.map(([header, value]) => `    ${literal(String(header))}: ${value},`),
    '  },',
    `  body: ${form ? 'form' : `JSON.stringify(${operation})`},`,
    '});',
    'const { data, errors } = await response.json();',
    '',
  ].join('\n');
}

/** `X-Api-Key` → `xApiKey`. */
function secretName(header: string): string {
  return secretOf(header)
    .toLowerCase()
    .replace(/_+(.)/g, (_all, next: string) => next.toUpperCase());
}

function literal(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

/** A template literal of TypeScript that gives the text. */
export function template(text: string): string {
  return `\`${text.replace(/[\\`]|\$\{/g, '\\$&')}\``;
}
