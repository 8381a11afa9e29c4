import { type Decline, declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { REASONS, UNUSABLE } from '#shared/psp/paystack/declines.catalog.ts';
import type { Envelope, Transaction } from '#shared/psp/paystack/objects.schema.ts';

function firstFit(lines: typeof REASONS, said: string): Decline | undefined {
  const [, word, code, retry] = lines.find(([pattern]) => pattern.test(said)) ?? [];
  return code && declineOf(code, word, retry);
}

/** Paystack's failed charge. A reason without a match is a plain decline without a code. */
export function toDecline({ gateway_response, message }: Pick<Transaction, 'gateway_response' | 'message'>): Decline {
  return firstFit(REASONS, `${gateway_response ?? ''}\n${message ?? ''}`) ?? declineOf('card_declined');
}

/** An unsupported currency is a 403, and anything missing a 404. */
const OF_REQUEST: ReadonlySet<number> = new Set([400, 403, 404]);

/**
 * A request refused for its content, card or amount: the customer's matter, so a decline and no configuration error.
 */
export const requestRefusal = (
  status: number,
  { code, message }: Pick<Envelope, 'code' | 'message'>,
): Decline | undefined => (OF_REQUEST.has(status) ? firstFit(UNUSABLE, `${code ?? ''}\n${message ?? ''}`) : undefined);
