import { exchange } from '#shared/adapters/net/exchange.ts';
import { SECOND } from '#shared/kernel/clock.ts';
import type { OwnApiPort } from '#shared/ports/own-api.port.ts';

/** As long as API Gateway waits for a function. */
const TIMEOUT_MS = 30 * SECOND;

/** `address`: the API's public base address. */
export const ownApi = (address: string, userAgent = 'payfork-probe'): OwnApiPort => ({
  async call({ method, path, key, body, idempotencyKey, actorId }) {
    const response = await exchange({
      method,
      url: address + path,
      timeoutMs: TIMEOUT_MS,
      headers: {
        authorization: `Bearer ${key.reveal()}`,
        'user-agent': userAgent,
        ...(actorId !== undefined && { 'x-actor-id': actorId }),
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: parsed(response.body.toString('utf8')) };
  },
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
