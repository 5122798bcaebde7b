export interface Inspector {
  /** Calls a method of the Chrome DevTools protocol. */
  send<Result>(method: string, parameters?: object): Promise<Result>;
  close(): void;
}

/** Connects to a Node process that was started with `--inspect=127.0.0.1:<port>`. */
export async function connectInspector(port: number): Promise<Inspector> {
  const response = await fetch(`http://127.0.0.1:${port}/json`);
  const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target!.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map<number, (result: unknown) => void>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.(result);
    waiting.delete(id);
  };
  let lastId = 0;
  return {
    send: <Result>(method: string, params: object = {}) =>
      new Promise<Result>((resolve) => {
        const id = ++lastId;
        waiting.set(id, (result) => resolve(result as Result));
        socket.send(JSON.stringify({ id, method, params }));
      }),
    close: () => socket.close(),
  };
}
