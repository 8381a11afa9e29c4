import { type Decline, declineOf } from '#shared/domain/declines.catalog.ts';
import { REASONS, UNUSABLE } from '#shared/psp/paystack/declines.catalog.ts';
import type { Envelope, Transaction } from '#shared/psp/paystack/objects.schema.ts';

function firstFit(lines: typeof REASONS, said: string): Decline | undefined {
  const [, word, code, retry] = lines.find(([pattern]) => pattern.test(said)) ?? [];
  return code && declineOf(code, word, retry);
}

/** Paystack said that the charge failed. A reason that fits nothing is a plain decline without a code. */
export function toDecline({ gateway_response, message }: Pick<Transaction, 'gateway_response' | 'message'>): Decline {
  return firstFit(REASONS, `${gateway_response ?? ''}\n${message ?? ''}`) ?? declineOf('card_declined');
}

/** A request refused because the card in it can't be used: the customer's matter, so a decline and no fault of the configuration. */
export const cardRefusal = ({ message }: Pick<Envelope, 'message'>): Decline | undefined => firstFit(UNUSABLE, message ?? '');
