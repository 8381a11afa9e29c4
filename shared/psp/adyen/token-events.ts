import * as z from 'zod';
import type { UnverifiedEvent } from '#shared/ports/psp.port.ts';
import { savedToken } from '#shared/psp/adyen/report.rules.ts';

/**
 * Adyen's webhook "Recurring tokens life cycle events", which signs its whole body with a key of its own. Source: its
 * OpenAPI document (version 1), read in 2026-11. UNVERIFIED: `eventId` is the payment with which the method was kept. If
 * it is not, the event is one of no payment of ours.
 */
export const TokenEvent = z.looseObject({
  type: z.enum(['recurring.token.created', 'recurring.token.updated', 'recurring.token.alreadyExisting']),
  eventId: z.string().min(1).max(80),
  data: z.looseObject({
    merchantAccount: z.string().min(1).max(200),
    shopperReference: z.string(),
    storedPaymentMethodId: z.string(),
  }),
});

type TokenEvent = z.infer<typeof TokenEvent>;

/** Says nothing of the charge. Undefined for a token that is none. */
export function tokenEvent({ type, eventId: reference, data }: TokenEvent): UnverifiedEvent | undefined {
  const { storedPaymentMethodId, shopperReference } = data;
  const { saved } = savedToken({
    data: {
      'tokenization.storedPaymentMethodId': storedPaymentMethodId,
      'tokenization.shopperReference': shopperReference,
    },
  });
  if (!saved) return undefined;
  return {
    eventId: `${reference}:${type}:${storedPaymentMethodId}`,
    type,
    subject: { kind: 'payment', reference, reported: { kind: 'waiting', reference, saved } },
    routing: {},
  };
}
