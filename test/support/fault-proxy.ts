import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Faults of one direction. Counts of bytes begin anew when faults are set. */
export interface FlowFaults {
  /** Milliseconds that each byte is under way. */
  latency?: number;
  bytesPerSecond?: number;
  /** Bytes that pass before the connection is reset (RST) on both sides. */
  resetAfter?: number;
  /** Bytes that pass before the connection ends (FIN) in the middle of a message. */
  endAfter?: number;
  /** Bytes that pass before reading stops, until other faults are set. */
  stallAfter?: number;
}

export interface Faults {
  /** From the gateway to the service. */
  request?: FlowFaults;
  /** From the service to the gateway. */
  answer?: FlowFaults;
}

export interface FaultProxy extends AsyncDisposable {
  /** Replaces the URL of the service behind it. */
  url: string;
  /** Sets the faults of all connections, or of single ones by their number from 1. Open connections change too. */
  set(faults: Faults | ((connection: number) => Faults)): void;
  /** Connections of the gateway now, and since the start. */
  readonly open: number;
  readonly opened: number;
  /** Bytes that have passed since the start. */
  readonly passed: { request: number; answer: number };
  /** Resets all open connections. */
  reset(): void;
  /** Resets all open connections, and refuses later ones. */
  close(): Promise<void>;
}

type Direction = keyof Faults;

/** The most bytes that the proxy delays. Then the sender has to wait. */
const maxBuffered = 1024 * 1024;

/** Starts a TCP proxy between a gateway and a service, with faults on demand; by default on a free port. */
export async function startFaultProxy(target: string, ownPort = 0): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const behind = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
  const sockets = new Set<Socket>();
  const passed = { request: 0, answer: 0 };
  let open = 0;
  let opened = 0;
  let faultsOf: (connection: number) => Faults = () => ({});
  let changed = Promise.withResolvers<void>();

  const server = createServer({ allowHalfOpen: true }, (gateway) => {
    const number = ++opened;
    open++;
    gateway.once('close', () => open--);
    const service = connect({ ...behind, allowHalfOpen: true });
    join(gateway, service, 'request', number);
    join(service, gateway, 'answer', number);
  }).listen(ownPort, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  function reset(): void {
    for (const socket of sockets) socket.resetAndDestroy();
  }

  async function close(): Promise<void> {
    reset();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  }

  function join(from: Socket, to: Socket, direction: Direction, connection: number): void {
    sockets.add(from);
    let buffered = 0;
    let queue = Promise.resolve();
    const pass = passOn(from, to, direction, connection);
    from.on('data', (chunk: Buffer) => {
      const arrived = performance.now();
      buffered += chunk.length;
      if (buffered > maxBuffered || !faultsOf(connection)[direction]?.latency) from.pause();
      queue = queue.then(async () => {
        await pass(chunk, arrived);
        buffered -= chunk.length;
        from.resume();
      });
    });
    // Buffered bytes pass first.
    const end = () => void queue.then(() => void to.end());
    from.on('end', end);
    from.on('error', () => to.resetAndDestroy());
    from.on('close', () => {
      sockets.delete(from);
      end();
    });
  }

  function passOn(from: Socket, to: Socket, direction: Direction, connection: number) {
    let countedFor = changed;
    let count = 0;
    return async (chunk: Buffer, arrived: number): Promise<void> => {
      for (let rest = chunk; rest.length > 0 && to.writable; ) {
        if (countedFor !== changed) {
          countedFor = changed;
          count = 0;
        }
        const { latency = 0, bytesPerSecond, resetAfter, endAfter, stallAfter } = faultsOf(connection)[direction] ?? {};
        const wait = arrived + latency - performance.now();
        if (wait > 0) await sleep(wait);
        const left = Math.min(resetAfter ?? Infinity, endAfter ?? Infinity, stallAfter ?? Infinity) - count;
        if (left <= 0) {
          if (stallAfter !== undefined && count >= stallAfter) {
            await changed.promise;
            continue;
          }
          if (resetAfter !== undefined && count >= resetAfter) for (const side of [to, from]) side.resetAndDestroy();
          to.end();
          from.destroy();
          return;
        }
        const slice = rest.subarray(0, Math.min(left, bytesPerSecond ? Math.ceil(bytesPerSecond / 20) : Infinity));
        rest = rest.subarray(slice.length);
        count += slice.length;
        passed[direction] += slice.length;
        await new Promise<void>((written) => to.write(slice, () => written()));
        if (bytesPerSecond) await sleep((slice.length / bytesPerSecond) * 1000);
      }
    };
  }

  return {
    url: url.href.replace(/\/$/, ''),
    set(faults) {
      faultsOf = typeof faults === 'function' ? faults : () => faults;
      const before = changed;
      changed = Promise.withResolvers();
      before.resolve();
    },
    get open() {
      return open;
    },
    get opened() {
      return opened;
    },
    passed,
    reset,
    close,
    [Symbol.asyncDispose]: close,
  };
}
