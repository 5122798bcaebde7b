import { type DeviceFile, isDeviceFile, plainName } from './device-file.ts';

export interface FormOperation {
  operationName?: string | undefined;
  query: string;
  variables: Record<string, unknown>;
}

export interface SendOptions {
  headers: Record<string, string>;
  /** Part of the form that is sent, from 0 to 1. */
  onProgress?: ((part: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export const fileOf = (variables: Record<string, unknown>) =>
  Object.entries(variables).find((entry): entry is [string, DeviceFile] => isDeviceFile(entry[1]));

/** An operation with one file, as the GraphQL multipart request specification says. */
export function formOf({ operationName, query, variables }: FormOperation): FormData {
  const [variable, file] = fileOf(variables) ?? [];
  if (!variable || !file) throw new TypeError('No variable is a file of the device.');
  const form = new FormData();
  form.append('operations', JSON.stringify({ operationName, query, variables: { ...variables, [variable]: null } }));
  form.append('map', JSON.stringify({ 0: [`variables.${variable}`] }));
  form.append('0', { ...file, name: plainName(file.name) } as unknown as Blob);
  return form;
}

/**
 * Sends a form. By XMLHttpRequest, because it says how far it is, and because Expo's own `fetch` takes no file by its `uri`.
 * React Native reads the file itself: it never comes to JavaScript.
 */
export function sendForm(url: string, form: FormData, { headers, onProgress, signal }: SendOptions): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    const all = {
      accept: 'application/graphql-response+json, application/json',
      // The gateway refuses forms without this header, because any site can make a browser post one.
      'apollo-require-preflight': 'true',
      ...headers,
    };
    for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const type = request.getResponseHeader('content-type') ?? '';
      resolve(new Response(request.responseText, { status: request.status, headers: { 'content-type': type } }));
    };
    request.onerror = () => reject(new TypeError('Network request failed'));
    request.onabort = () => reject(signal?.reason);
    if (signal?.aborted) return reject(signal.reason);
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}
