import { once } from 'node:events';
import { createServer } from 'node:http';

export type RollingKeys = {
  /** The URL for the connection instead of the provider's. */
  readonly url: string;
  /** The URL to which requests are forwarded. */
  readonly behind: (base: string) => void;
  /** The new key belongs to the same account from now on; the old one is rejected. */
  readonly roll: (oldKey: string, newKey: string) => void;
  /** The key is rejected from now on, and its account has no other. */
  readonly revoke: (key: string) => void;
  readonly close: () => Promise<void>;
};

/**
 * A provider that knows which keys were rolled or revoked. Other requests go to the simulator, which sees the first
 * key instead of a rolled one, and rejects keys in its own words.
 */
export async function rollingKeys(): Promise<RollingKeys> {
  const before = new Map<string, string>();
  const revoked = new Set<string>();
  let base = '';
  const server = createServer(async (message, response) => {
    const key = String(message.headers.authorization ?? '').replace(/^Bearer /, '');
    const body = Buffer.concat(await message.toArray());
    const { host: _, connection: __, 'content-length': ___, ...headers } = message.headers as Record<string, string>;
    const sent = {
      ...headers,
      authorization: `Bearer ${revoked.has(key) ? `${key}_revoked` : (before.get(key) ?? key)}`,
    };
    try {
      const reply = await fetch(base + message.url, {
        method: message.method ?? 'GET',
        headers: sent,
        ...(body.length > 0 && { body }),
      });
      response
        .writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'application/json' })
        .end(Buffer.from(await reply.arrayBuffer()));
    } catch {
      response.destroy();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address?.port}`,
    behind: (of) => {
      base = of;
    },
    roll: (oldKey, newKey) => {
      before.set(newKey, before.get(oldKey) ?? oldKey);
      revoked.add(oldKey);
    },
    revoke: (key) => void revoked.add(key),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
