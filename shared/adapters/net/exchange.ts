import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { SECOND } from '#shared/kernel/clock.ts';

type ExchangeFault = 'unreachable' | 'timeout' | 'reset' | 'too_large';

/** `sent` is false only if no byte of the request can have left: failed look-up, connect or TLS handshake. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  readonly kind: ExchangeFault;
  readonly sent: boolean;
  /** The system's error code (`ECONNREFUSED` …); no address, header or body. */
  readonly code: string | undefined;
  constructor(kind: ExchangeFault, sent: boolean, code?: string) {
    super(`HTTP exchange failed: ${kind}${code ? ` (${code})` : ''}${sent ? '' : ', nothing was sent'}.`);
    this.kind = kind;
    this.sent = sent;
    this.code = code;
  }
}

export type ExchangeRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Total time from look-up to the last byte of the response, in real time. */
  readonly timeoutMs: number;
  readonly agent?: http.Agent | https.Agent;
  /** A resolver in place of the system's; such a call gets its own connection. */
  readonly lookup?: LookupFunction;
  readonly maxBytes?: number;
};

type ExchangeResponse = {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
};

const MAX_BYTES = 1024 * 1024;

/** Idle connections are closed before a usual server closes them, so that few requests meet a closing one. */
const IDLE_MS = 4_000;
const HTTP = new http.Agent({ keepAlive: true, timeout: IDLE_MS, maxFreeSockets: 64 });
const HTTPS = new https.Agent({ keepAlive: true, timeout: IDLE_MS, maxFreeSockets: 64 });

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/**
 * One HTTP(S) request and its whole response, whatever its status; redirects are not followed. Throws only
 * `ExchangeError`.
 */
export function exchange(request: ExchangeRequest): Promise<ExchangeResponse> {
  if (!(request.timeoutMs > 0)) return Promise.reject(new ExchangeError('timeout', false));
  const { promise, resolve, reject } = Promise.withResolvers<ExchangeResponse>();
  let sent = false;
  let over = false;
  let outgoing: http.ClientRequest;
  try {
    outgoing = open(request);
  } catch (error) {
    return Promise.reject(new ExchangeError('unreachable', false, codeOf(error)));
  }
  const fail = (kind: ExchangeFault, code?: string) => {
    if (over) return;
    over = true;
    reject(new ExchangeError(kind, sent, code));
    outgoing.destroy();
  };
  const timer = setTimeout(() => fail('timeout'), request.timeoutMs);
  const broken = (error: unknown) => fail(sent ? 'reset' : 'unreachable', codeOf(error));
  outgoing.on('error', broken);
  outgoing.on('close', () => broken(undefined));
  whenConnected(outgoing, () => {
    sent = true;
    outgoing.end(request.body);
  });
  const done = (reply: ExchangeResponse) => {
    over = true;
    resolve(reply);
  };
  outgoing.on('response', (incoming) =>
    collect(incoming, request.maxBytes ?? MAX_BYTES, { done, broken, tooLarge: () => fail('too_large') }),
  );
  return promise.finally(() => clearTimeout(timer));
}

function open({ url, method, headers, agent, lookup }: ExchangeRequest): http.ClientRequest {
  const target = new URL(url);
  const secure = target.protocol === 'https:';
  const shared = secure ? HTTPS : HTTP;
  return (secure ? https : http).request(target, {
    method,
    headers,
    lookup,
    agent: agent ?? (lookup ? false : shared),
    ...CONNECT_OPTIONS,
  });
}

/** The request is written only once the connection is established: an earlier failure has certainly sent nothing. */
function whenConnected(outgoing: http.ClientRequest, send: () => void): void {
  outgoing.on('socket', (socket) => {
    if (outgoing.reusedSocket || !socket.connecting) send();
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', send);
  });
}

type CollectHandlers = {
  readonly done: (reply: ExchangeResponse) => void;
  readonly broken: (error: unknown) => void;
  readonly tooLarge: () => void;
};

function collect(incoming: http.IncomingMessage, maxBytes: number, { done, broken, tooLarge }: CollectHandlers): void {
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('error', broken);
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) tooLarge();
    else chunks.push(chunk);
  });
  incoming.on('end', () => {
    const headers = Object.entries(incoming.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]);
    done({ status: incoming.statusCode ?? 0, headers: Object.fromEntries(headers), body: Buffer.concat(chunks) });
  });
}

/**
 * For all outgoing calls. The time to connect to one address of a name that has several: with Node's default of 250 ms
 * distant servers fail, and the next address may be unreachable.
 */
export const CONNECT_OPTIONS = { autoSelectFamilyAttemptTimeout: 2 * SECOND } as const;

/** The seconds of a Retry-After header in either form; `undefined` if invalid. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1_000));
}
