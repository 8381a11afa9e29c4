import type { PspContext } from '#shared/ports/psp.port.ts';
import type { AdyenCredentials } from '#shared/psp/adyen/credentials.schema.ts';
import { type AdyenAnswer, readAnswer } from '#shared/psp/adyen/error.rules.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';
import { readAs } from '#shared/psp/kit/reply.ts';

export type AdyenContext = PspContext<AdyenCredentials>;

type AdyenCall = Purpose & {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly host?: string;
  readonly params?: object;
  readonly idempotencyKey?: string;
};

/** The Checkout API is under the account's own host; other APIs name theirs. */
export async function ask(call: AdyenCall, { credentials, send, now }: AdyenContext): Promise<AdyenAnswer> {
  const { operation, paymentId, path, host, params, method = params ? 'POST' : 'GET' } = call;
  const headers = {
    'x-api-key': credentials.api_key,
    ...(params && { 'content-type': 'application/json' }),
    ...(call.idempotencyKey && { 'idempotency-key': call.idempotencyKey }),
  };
  const place = host === undefined ? { hostPrefix: credentials.live_endpoint_url_prefix } : { host };
  const body = params && JSON.stringify(params);
  return readAnswer(
    await send({ operation, method, path, paymentId, headers, ...definedOnly(place), ...(body && { body }) }),
    now(),
  );
}

const definedOnly = ({ host, hostPrefix }: { readonly host?: string; readonly hostPrefix?: string | undefined }) => ({
  ...(host !== undefined && { host }),
  ...(hostPrefix !== undefined && { hostPrefix }),
});

export const read = readAs('Adyen');
