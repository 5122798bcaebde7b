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

if (import.meta.main) {
  const [name, given = '{}'] = process.argv.slice(2);
  const { GATEWAY_URL = 'http://127.0.0.1:4000/graphql', GATEWAY_KEY = 'demo-coop' } = process.env;
  const args = [`${import.meta.dirname}/server.js`];
  const client = await connect({ command: process.execPath, args, env: { GATEWAY_URL, GATEWAY_KEY } });
  if (name === undefined) {
    const { tools } = await client.listTools();
    console.log(tools.map(({ name, description }) => `${name}\n${description}`).join('\n\n'));
  } else {
    const { content, isError } = await client.callTool({ name, arguments: JSON.parse(given) });
    for (const block of content) if (block.type === 'text') console.log(block.text);
    if (isError) process.exitCode = 1;
  }
  await client.close();
}
