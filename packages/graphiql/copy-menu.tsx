import {
  CopyIcon,
  ToolbarButton,
  ToolbarMenu,
  tryParseJSONC,
  useGraphiQL,
  useHeadersEditorState,
  useOperationsEditorState,
  useVariablesEditorState,
} from '@graphiql/react';
import { copiedHeaders, copiedOperation } from './copied-operation.ts';
import { curlOf, fetchOf, secretOf } from './copy-as-request.ts';
import { demoKeys } from './demo-keys.ts';
import { notify } from './notices.tsx';
import { operationOf, uploadVariables } from './operation.ts';
import { linkTo } from './operation-link.ts';
import { headersFor, traceHeader } from './request-headers.ts';
import { typedDocumentOf } from './typed-document.ts';

/** Copies the open operation in the form of the place where it is needed. No form has a key, but those of the sandbox. */
export function CopyMenu() {
  const [query] = useOperationsEditorState();
  const [variableText] = useVariablesEditorState();
  const [headerText] = useHeadersEditorState();
  const operationName = useGraphiQL((state) => state.operationName);
  const schema = useGraphiQL((state) => state.schema);
  const address = window.location.origin + window.location.pathname;

  const operation = () => {
    const variables = parsed(variableText, 'Variables');
    const given = new Headers(parsed(headerText, 'Headers') as Record<string, string>);
    const headers = headersFor(given);
    headers.delete('Accept');
    if (!given.has(traceHeader)) headers.delete(traceHeader);
    const copied = copiedHeaders(headers, new Set(demoKeys.keys()));
    return copiedOperation({ url: address, query, operationName, variables, headers: copied });
  };
  const secrets = () => operation().headers.filter(({ value }) => value === undefined);
  const link = () => {
    const definition = operationOf(query, operationName);
    const variables = parsed(variableText, 'Variables');
    // A file stays with its user.
    for (const name of uploadVariables(definition)) if (name in variables) variables[name] = null;
    const text = Object.keys(variables).length > 0 ? JSON.stringify(variables, null, 2) : '';
    return linkTo(address, { query, variables: text });
  };
  const items: [label: string, make: () => string | Promise<string>, note?: () => string][] = [
    ['Copy the query', () => query],
    [
      'Copy as curl',
      () => curlOf(operation()),
      () =>
        [
          ' It is for bash, on Windows that of Git.',
          ...secrets().map(({ name }) => ` Set $${secretOf(name)} in your shell: secrets are not copied.`),
        ].join(''),
    ],
    [
      'Copy as fetch',
      () => fetchOf(operation()),
      () => (secrets().length > 0 ? ' Fill in the secrets at its beginning: they are not copied.' : ''),
    ],
    [
      'Copy as typed document',
      () => {
        if (!schema) throw new Error('Nothing was copied: the page has no schema yet.');
        return typedDocumentOf(schema, operation());
      },
    ],
    ['Copy a link to this operation', link, () => ' It holds the query and the variables, and no key.'],
  ];
  return (
    <ToolbarMenu
      button={
        <ToolbarButton label="Copy as …">
          <CopyIcon className="graphiql-toolbar-icon" aria-hidden="true" />
        </ToolbarButton>
      }
    >
      {items.map(([label, make, note]) => (
        <ToolbarMenu.Item key={label} onSelect={() => copy(label, make, note)}>
          {label}
        </ToolbarMenu.Item>
      ))}
    </ToolbarMenu>
  );
}

async function copy(label: string, make: () => string | Promise<string>, note = () => ''): Promise<void> {
  try {
    await write(await make());
    notify(`${label.replace('Copy', 'Copied')}.${note()}`);
  } catch (error) {
    notify((error as Error).message, { isProblem: true });
  }
}

/** Browsers give the clipboard to pages of https and of this machine alone. */
async function write(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.body.appendChild(document.createElement('textarea'));
  field.value = text;
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (!isCopied) throw new Error('Nothing was copied: this browser lets no page without https write to the clipboard.');
}

function parsed(text: string, editor: string): Record<string, unknown> {
  try {
    return tryParseJSONC(text) ?? {};
  } catch {
    throw new Error(`Nothing was copied: “${editor}” holds no JSON. Correct it first.`);
  }
}
