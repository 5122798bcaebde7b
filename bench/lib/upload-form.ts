import { randomBytes } from 'node:crypto';

/** How clients send a file: one operation, and the file last (GraphQL multipart request specification). */
export const boundary = 'b0undary';
export const contentType = `multipart/form-data; boundary=${boundary}`;

/** A file of so many bytes, which begins as a PDF does. */
export function pdf(bytes: number): Buffer<ArrayBuffer> {
  const content = randomBytes(bytes);
  content.write('%PDF');
  return content;
}

export interface FormField {
  /** Lines between the boundary and the empty line. */
  header: string;
  content: string | Buffer;
}

export const field = (name: string, content: string): FormField => ({
  header: `Content-Disposition: form-data; name="${name}"`,
  content,
});

export const file = (content: string | Buffer, filename = 'invoice.pdf', name = '0'): FormField => ({
  header: `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: application/pdf`,
  content,
});

export const form = (parts: FormField[], lastLineEnd = '\r\n'): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ header, content }) => [
      Buffer.from(`--${boundary}\r\n${header}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--${lastLineEnd}`),
  ]);

/** The bytes before and after the content of a file. */
export function around(fields: FormField[], filename: string, lastLineEnd = '\r\n'): { before: Buffer; after: Buffer } {
  const empty = form([...fields, file('', filename)], lastLineEnd);
  const end = empty.lastIndexOf(`\r\n--${boundary}--`);
  return { before: empty.subarray(0, end), after: empty.subarray(end) };
}

export const uploadInvoice = (selection = 'id invoice') =>
  `mutation ($id: ID!, $invoice: Upload!) { uploadInvoice(payment_transaction: $id, invoice: $invoice) { ${selection} } }`;

/** The fields of an upload to a payment, before its file. */
export const operationOf = (id: string, query = uploadInvoice()): FormField[] => [
  field('operations', JSON.stringify({ query, variables: { id, invoice: null } })),
  field('map', '{"0":["variables.invoice"]}'),
];

/** The head of a POST: to be followed by so many bytes, or by chunks. */
export function head(length: number | 'chunked', headers: Record<string, string> = {}): string {
  const all = {
    Host: 'gateway',
    'Content-Type': contentType,
    'Apollo-Require-Preflight': 'true',
    Authorization: 'demo-coop',
    ...(length === 'chunked' ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /graphql HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** As chunks of a chunked body, without the one that ends it. */
export function chunked(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += 50_000) {
    const chunk = body.subarray(at, at + 50_000);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat(chunks);
}

export const lastChunk = Buffer.from('0\r\n\r\n');

/** A whole request, in either form. */
export function request(body: Buffer, framing: 'length' | 'chunked', headers: Record<string, string> = {}): Buffer {
  return framing === 'length'
    ? Buffer.concat([Buffer.from(head(body.length, headers)), body])
    : Buffer.concat([Buffer.from(head('chunked', headers)), chunked(body), lastChunk]);
}
