import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { type Authorization, type Transaction, WithAuthorization } from '#shared/psp/flutterwave/objects.schema.ts';

const webAddress = (text: string | null | undefined): string | undefined =>
  text && /^https?:\/\/\S+$/.test(text) ? text : undefined;

const authorizationIn = (meta: unknown): Authorization | undefined =>
  WithAuthorization.safeParse(meta).data?.authorization;

/**
 * What the customer must do next; it stands beside the transaction, in it, or there is only an address. `pin` and
 * `avs_noauth` ask for the whole card once more, which this service never has, so such a charge just stays open.
 */
export function toNextAction(meta: unknown, transaction?: Transaction): NextAction | undefined {
  const authorization = authorizationIn(meta) ?? authorizationIn(transaction?.meta);
  const { mode, redirect } = authorization ?? {};
  if (mode === 'otp') return { type: 'collect', field: 'otp' };
  if (mode === 'banktransfer' && authorization) return display(authorization);
  const url = webAddress(redirect) ?? webAddress(transaction?.auth_url);
  return url === undefined ? undefined : { type: 'redirect', url, method: 'GET' };
}

function display({ mode, redirect: _, ...details }: Authorization): NextAction {
  const shown = Object.entries(details).filter(
    (entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number',
  );
  return { ...Object.fromEntries(shown), type: 'display', kind: mode ?? '' };
}
