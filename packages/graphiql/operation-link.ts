/** An operation in the fragment of an address, which browsers send to no server. */
export interface LinkedOperation {
  query: string;
  /** JSON text. */
  variables: string;
}

const prefix = '#operation=';

/** Chats and mail programs cut longer addresses. */
const maxCharacters = 8_000;
/** A link of a few characters may hold megabytes. */
const maxUnpacked = 200_000;

/** @throws Error where the link would be too long to be sent. */
export async function linkTo(page: string, operation: LinkedOperation): Promise<string> {
  const packed = await bytesOf(
    new Blob([JSON.stringify(operation)]).stream().pipeThrough(new CompressionStream('deflate-raw')),
  );
  const link = `${page}${prefix}${base64url(packed)}`;
  if (link.length <= maxCharacters) return link;
  throw new Error(
    `No link was copied: it would have ${link.length} characters, and many programs cut links after ${maxCharacters}. Copy the query instead.`,
  );
}

/**
 * The operation of a fragment; undefined for a fragment of another kind.
 * @throws Error for a link that was cut or changed on its way.
 */
export async function linkedOperation(fragment: string): Promise<LinkedOperation | undefined> {
  if (!fragment.startsWith(prefix)) return undefined;
  if (fragment.length > maxCharacters)
    throw new Error('This link is too long to be one of this page. No operation was opened.');
  try {
    const packed = Uint8Array.from(
      atob(fragment.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/')),
      (character) => character.charCodeAt(0),
    );
    const unpacked = await bytesOf(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')));
    const { query, variables } = JSON.parse(new TextDecoder().decode(unpacked));
    if (typeof query !== 'string' || typeof variables !== 'string') throw new TypeError('No operation.');
    return { query, variables };
  } catch {
    throw new Error('This link is broken: a part of it was cut or changed on its way. No operation was opened.');
  }
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    length += read.value.length;
    if (length > maxUnpacked) throw new RangeError('Too long.');
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
