/** The bytes that JavaScript knows by an id. */
const blobs = new Map<string, Buffer>();

interface BlobData {
  blobId: string;
  offset: number;
  size: number;
  type?: string;
}

export function storeBlob(bytes: Buffer): BlobData {
  const blobId = crypto.randomUUID();
  blobs.set(blobId, bytes);
  return { blobId, offset: 0, size: bytes.length };
}

function bytesOf({ blobId, offset, size }: BlobData): Buffer {
  const bytes = blobs.get(blobId);
  if (!bytes) throw new Error('The specified blob is invalid');
  return bytes.subarray(offset, offset + size);
}

export const BlobModule = {
  getConstants: () => ({ BLOB_URI_SCHEME: 'blob', BLOB_URI_HOST: null }),
  addNetworkingHandler() {},
  addWebSocketHandler() {},
  removeWebSocketHandler() {},
  sendOverSocket() {},
  createFromParts(parts: { type: string; data: string | BlobData }[], blobId: string) {
    const bytes = parts.map(({ data }) => (typeof data === 'string' ? Buffer.from(data) : bytesOf(data)));
    blobs.set(blobId, Buffer.concat(bytes));
  },
  release: (blobId: string) => void blobs.delete(blobId),
};

export const FileReaderModule = {
  readAsText: async (data: BlobData, encoding: string) => new TextDecoder(encoding).decode(bytesOf(data)),
  readAsDataURL: async (data: BlobData) =>
    `data:${data.type || 'application/octet-stream'};base64,${bytesOf(data).toString('base64')}`,
};
