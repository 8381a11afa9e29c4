import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';

/** How an agent's program names itself. It goes into the audit log, where it is marked as a claim. */
type ClientInfo = { readonly name?: unknown; readonly version?: unknown };

const MAX_LENGTH = 100;
const UNSAFE = /[^\x20-\x7e]+/g;

/** The suffix keeps a program that calls itself `system` from looking like this service. */
function nameOf({ name, version }: ClientInfo): string | undefined {
  const parts = [name, version].filter((part) => typeof part === 'string' && part !== '');
  const text = parts.join(' ').replace(UNSAFE, ' ').trim().slice(0, MAX_LENGTH);
  return text === '' ? undefined : `${text} (MCP)`;
}

/**
 * Newer clients name themselves in every request, older ones once, at `initialize`. As nothing is remembered here,
 * these get their name as the id of their session, and send it again with each request.
 */
export function clientNameOf(message: unknown, sessionId: string | undefined): string | undefined {
  const { params } = (message ?? {}) as {
    readonly params?: { readonly clientInfo?: unknown; readonly _meta?: unknown };
  };
  const info = (params?._meta as Record<string, unknown> | undefined)?.[CLIENT_INFO_META_KEY] ?? params?.clientInfo;
  if (typeof info === 'object' && info !== null) return nameOf(info);
  if (sessionId === undefined || !/^[\w-]{1,200}$/.test(sessionId)) return undefined;
  return nameOf({
    name: Buffer.from(sessionId, 'base64url')
      .toString()
      .replace(/ \(MCP\)$/, ''),
  });
}

export const sessionIdOf = (clientName: string): string => Buffer.from(clientName).toString('base64url');

export const isInitialize = (message: unknown): boolean =>
  (message as { readonly method?: unknown } | null)?.method === 'initialize';
