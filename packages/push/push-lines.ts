import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { tooLarge } from '@gateway/base';

export interface Line {
  /** From 1. */
  number: number;
  /** Undefined for bytes that are not UTF-8. */
  text: string | undefined;
}

const lineEnd = 0x0a;

/**
 * The lines of a body as they come, without empty ones. The client waits while nobody asks for the next line.
 * @throws PAYLOAD_TOO_LARGE for a line of more bytes, once the lines before it are read.
 */
export async function* linesOf(request: IncomingMessage, maxBytes: number): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  // The answer goes over the same connection, also where the rest of the body is not read.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd)) {
      number += 1;
      const line = lineOf(bytes.subarray(0, end), number);
      bytes = bytes.subarray(end + 1);
      if (line) yield line;
    }
    if (bytes.length > maxBytes) throw tooLarge(`Line ${number + 1} is longer than ${maxBytes} bytes.`);
    rest = bytes;
  }
  const last = lineOf(rest, number + 1);
  if (last) yield last;
}

function lineOf(bytes: Buffer, number: number): Line | undefined {
  const text = isUtf8(bytes) ? bytes.toString().trim() : undefined;
  return text === '' ? undefined : { number, text };
}
