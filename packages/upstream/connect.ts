import type { Duplex } from 'node:stream';
import type { buildConnector } from 'undici';
import connectorOf from 'undici/lib/core/connect.js';

type Write = (error?: Error | null) => void;

/**
 * Connects as undici does, to sockets that read to the end when a write fails. A service that refuses an upload answers and
 * closes the connection, while the file is still being sent. Node would destroy the socket with the answer unread.
 */
export function connector(timeoutMs: number): buildConnector.connector {
  const connect = connectorOf({ timeout: timeoutMs });
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      readToEnd(socket);
      callback(null, socket);
    });
  };
}

function readToEnd(socket: Duplex): void {
  // A failed write ends when reading has: then the answer, if there is one, has been read.
  const afterReading = (end: Write) => (error?: Error | null) => {
    if (!error || socket.readableEnded || socket.destroyed) return end(error);
    socket.once('end', () => end(error)).once('close', () => end(error));
  };
  const { _write: write, _writev: writev } = socket;
  socket._write = (chunk, encoding, end) => write.call(socket, chunk, encoding, afterReading(end));
  if (writev) socket._writev = (chunks, end) => writev.call(socket, chunks, afterReading(end));
}
