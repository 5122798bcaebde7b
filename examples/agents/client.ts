/** Starts an MCP server as the program of an agent does, lists its tools, and calls one. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** A server in the settings of an agent's program. */
export interface ServerSettings {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

export async function connect(settings: ServerSettings, protocol?: string): Promise<Client> {
  const versionNegotiation = protocol === undefined ? {} : { versionNegotiation: { mode: { pin: protocol } } };
  const client = new Client({ name: 'traceability-gateway-client', version: '0.1.0' }, versionNegotiation);
  await client.connect(new StdioClientTransport(settings));
  return client;
}

async function print(client: Client, tool: string | undefined, given: Record<string, unknown>): Promise<void> {
  if (tool === undefined) {
    const { tools } = await client.listTools();
    console.log(tools.map(({ name, description }) => `${name}\n${description}`).join('\n\n'));
  } else {
    const { content, isError } = await client.callTool({ name: tool, arguments: given });
    for (const block of content) if (block.type === 'text') console.log(block.text);
    if (isError) process.exitCode = 1;
  }
}

if (import.meta.main) {
  const [tool, given = '{}'] = process.argv.slice(2);
  const { GATEWAY_URL = 'http://127.0.0.1:4000/graphql', GATEWAY_KEY = 'demo-coop' } = process.env;
  const args = [`${import.meta.dirname}/server.js`];
  try {
    const variables = JSON.parse(given);
    const client = await connect({ command: process.execPath, args, env: { GATEWAY_URL, GATEWAY_KEY } });
    await print(client, tool, variables).finally(() => client.close());
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
