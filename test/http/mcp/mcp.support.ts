import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Body, TestHost } from '#test/support/host.ts';

export const CLIENT = { name: 'test-agent', version: '1.2.3' } as const;

/** The official client, connected to the host with this key. */
export async function connect(host: TestHost, key: string, options: object = {}): Promise<Client> {
  const client = new Client(CLIENT, options);
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${host.info.api}/mcp`), { requestInit: { headers } }),
  );
  return client;
}

/** What a tool answers: its error too. */
export async function use(client: Client, name: string, input: Body = {}): Promise<Body> {
  const { structuredContent, isError = false } = await client.callTool({ name, arguments: input });
  return { ...(structuredContent as object), isError };
}
