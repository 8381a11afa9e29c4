import type { IncomingMessage } from 'node:http';
import { finishError } from '#shared/http/finish-error.ts';
import { refusalOf, strangerError } from '#shared/http/middleware/authenticate.middleware.ts';
import { MAX_BODY_BYTES } from '#shared/http/middleware/parse-request.middleware.ts';
import type { ApiResult } from '#shared/http/request.ts';
import { addCommonHeaders, corsHeaders, problemResponse } from '#shared/http/response.ts';
import type { AnyRoute, Route } from '#shared/http/route.ts';
import { plus, SECOND } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Beyond this, the address that was refused first is forgotten, and goes through the chain once more. */
const MAX_ADDRESSES = 10_000;

/**
 * Strangers who go on though their address has used up its rate limit. On AWS they cost the functions that they call;
 * here they would share one thread with everybody's payments. So they get the chain's response without the chain, and
 * before their bodies are read.
 */
export class Floods {
  readonly #deps: Pick<Deps, 'config' | 'rates'>;
  readonly #until = new Map<string, Date>();
  /** By seconds until the next try. An error notes its stack, which would be most of the work. */
  readonly #problems = new Map<number, ApiResult>();
  constructor(deps: Pick<Deps, 'config' | 'rates'>) {
    this.#deps = deps;
  }

  /** Remembers the address of a request that was refused, until it may try again. */
  note({ socket }: IncomingMessage, { statusCode, headers }: ApiResult, at: Date): void {
    const address = socket.remoteAddress;
    if (statusCode !== 429 || address === undefined) return;
    this.#until.delete(address);
    this.#until.set(address, plus(at, Number(headers?.['retry-after'] ?? 0) * SECOND));
    const [oldest] = this.#until.size > MAX_ADDRESSES ? this.#until.keys() : [];
    if (oldest !== undefined) this.#until.delete(oldest);
  }

  /** Undefined for a request that the chain has to look at: its credential may be valid, or its body too large. */
  refusal(message: IncomingMessage, route: AnyRoute<Deps> | undefined, at: Date): ApiResult | undefined {
    const address = message.socket.remoteAddress ?? '';
    if (!route || 'raw' in route || at >= (this.#until.get(address) ?? at) || mayBeTooLarge(message)) return undefined;
    const sent = sentHeaders(message);
    const refused = refusalOf(sent, address, route, at, this.#deps);
    return refused?.exceeded && this.#response(sent, route, refused.rate, refused.exceeded.retryAfter, at);
  }

  #response(
    sent: SentHeaders,
    route: Route<Deps>,
    rate: Parameters<typeof addCommonHeaders>[2],
    retryAfter: number,
    at: Date,
  ): ApiResult {
    const problem = this.#problems.get(retryAfter) ?? problemResponse(strangerError({ retryAfter }));
    this.#problems.set(retryAfter, problem);
    const headers = { ...problem.headers, ...corsHeaders(route, sent, this.#deps.config) };
    const response: ApiResult = { ...problem, headers };
    finishError(response, { apiUrl: this.#deps.config.apiUrl, isSafe: true });
    addCommonHeaders(response, newId('request', at), rate);
    return response;
  }
}

function mayBeTooLarge({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES;
}

type SentHeaders = ReturnType<typeof sentHeaders>;

function sentHeaders({ headers }: IncomingMessage) {
  const cookies = headers.cookie?.split(/;\s*/);
  const single = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return { headers: single, ...(cookies && { cookies }) };
}
