import { readFileSync } from 'node:fs';
import { type ClientRequest, request as open } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { storeBlob } from './blobs.ts';
import { emit } from './events.ts';

type Headers = Record<string, string>;

/** A part of a form, from FormData.js: a text, or a file by its uri. */
interface Part {
  headers: Headers | [string, string][];
  string?: string;
  uri?: string;
}

interface Data {
  string?: string;
  formData?: Part[];
}

interface NativeRequest {
  method: string;
  url: string;
  headers: Headers;
  data: Data;
  responseType: string;
}

const running = new Map<number, ClientRequest>();
let lastId = 0;
let lostAnswers = 0;

/** The next answers do not reach the app, which the gateway does not know. */
export function loseAnswers(count: number): void {
  lostAnswers = count;
}

const uuid = '7a52f2ae-0f3c-4a7a-9d07-2f1c0f4f3a11';
const typesByExtension: Headers = { '.jpg': 'image/jpeg', '.png': 'image/png', '.pdf': 'application/pdf' };

/** As NetworkingModule.kt and MultipartBody of OkHttp 4 write a form. */
function androidForm(parts: Part[]): { boundary: string; body: Buffer } {
  const written = parts.map(({ headers, string, uri }) => {
    const { 'content-type': type, ...others } = Object.fromEntries(headers as [string, string][]);
    if (uri !== undefined && type === undefined) throw new Error('Binary FormData part needs a content-type header.');
    const content = uri === undefined ? Buffer.from(string ?? '') : readFileSync(fileURLToPath(uri));
    return {
      content,
      headers: { ...others, ...(type && { 'Content-Type': type }), 'Content-Length': `${content.length}` },
    };
  });
  return { boundary: uuid, body: joined(uuid, written) };
}

/** As RCTNetworking.mm writes a form: the extension of a file decides its type. */
function iosForm(parts: Part[]): { boundary: string; body: Buffer } {
  const boundary = 'Zr8.kQ_xW1-mN3vB7cX9aS2dF4gH6jK8lP0oI5uY.tR_eW-qA1sD3fG5hJ7kL9zX2cV4bN';
  const written = parts.map(({ headers, string, uri }) => {
    const type = uri && typesByExtension[extname(uri)];
    const content = uri === undefined ? Buffer.from(string ?? '') : readFileSync(fileURLToPath(uri));
    return { content, headers: { ...(headers as Headers), ...(type && { 'content-type': type }) } };
  });
  return { boundary, body: joined(boundary, written) };
}

function joined(boundary: string, parts: { headers: Headers; content: Buffer }[]): Buffer {
  const written = parts.flatMap(({ headers, content }) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return [Buffer.from(`--${boundary}\r\n${lines.join('')}\r\n`), content, Buffer.from('\r\n')];
  });
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]);
}

/** An emulator has the machine that it runs on at 10.0.2.2. No other machine gets anything. */
function hostUrl(url: string): string {
  const host = url.replace('//10.0.2.2:', '//127.0.0.1:');
  if (!/^http:\/\/(?:127\.0\.0\.1|localhost)[:/]/.test(host))
    throw new Error(`The tests call no other machine: ${url}`);
  return host;
}

function send(id: number, asked: NativeRequest, formOf: (parts: Part[]) => { boundary: string; body: Buffer }): void {
  const end = (error = '') => {
    running.delete(id);
    emit('didCompleteNetworkResponse', [id, error, false]);
  };
  let { headers } = asked;
  let body: Buffer = Buffer.from(asked.data.string ?? '');
  try {
    if (asked.data.formData) {
      const form = formOf(asked.data.formData);
      body = form.body;
      headers = { ...headers, 'content-type': `multipart/form-data; boundary=${form.boundary}` };
    }
  } catch (error) {
    setTimeout(end, 0, (error as Error).message);
    return;
  }
  const length = body.length > 0 ? { 'content-length': `${body.length}` } : {};
  const request = open(
    hostUrl(asked.url),
    { method: asked.method, headers: { ...headers, ...length } },
    async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      if (!running.has(id)) return;
      if (lostAnswers > 0) {
        lostAnswers -= 1;
        return end('The network connection was lost.');
      }
      emit('didReceiveNetworkResponse', [id, answer.statusCode, answer.headers, asked.url]);
      const bytes = Buffer.concat(chunks);
      emit('didReceiveNetworkData', [id, asked.responseType === 'blob' ? storeBlob(bytes) : bytes.toString()]);
      end();
    },
  );
  running.set(id, request);
  request.on('error', ({ message }) => running.has(id) && end(message));
  request.end(body, () => emit('didSendNetworkData', [id, body.length, body.length]));
}

function abortRequest(id: number): void {
  const request = running.get(id);
  running.delete(id);
  request?.destroy();
}

const listeners = { addListener() {}, removeListeners() {} };

/** NetworkingModule.kt gets its arguments one by one, and headers as pairs. */
const onAndroid = {
  ...listeners,
  abortRequest,
  sendRequest(
    method: string,
    url: string,
    id: number,
    headers: [string, string][],
    data: Data,
    responseType: string,
    _incremental: boolean,
    _timeout: number,
    _credentials: boolean,
  ) {
    send(id, { method, url, headers: Object.fromEntries(headers), data, responseType }, androidForm);
  },
};

/** RCTNetworking.mm gets one object, and gives the request its id. */
const onIos = {
  ...listeners,
  abortRequest,
  sendRequest(request: NativeRequest, callback: (id: number) => void) {
    lastId += 1;
    callback(lastId);
    send(lastId, request, iosForm);
  },
};

export const networkingOf = (platform: string) => (platform === 'android' ? onAndroid : onIos);
