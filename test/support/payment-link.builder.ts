import { createHash } from 'node:crypto';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { idFrom } from '#shared/kernel/ids.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

/** The id of the nth link; a higher number is a newer link. */
export const linkId = (n: number): string =>
  idFrom('link', later(n * 1_000), createHash('sha256').update(`link ${n}`).digest());

/** A link over EUR 50.00 without payments. */
export function aPaymentLink(about: Partial<PaymentLink> = {}): PaymentLink {
  const { max_payments = 1, payments_made = 0, slots = {} } = about;
  const held = Object.values(slots).filter(({ state }) => state === 'held').length;
  return {
    id: linkId(1),
    org_id: ORG,
    mode: 'sandbox',
    amount: 5_000,
    currency: 'EUR',
    description: null,
    methods: ['card'],
    status: 'active',
    max_payments,
    payments_made,
    expires_at: null,
    metadata: {},
    created_at: START.toISOString(),
    updated_at: START.toISOString(),
    version: 1,
    slots_left: max_payments - payments_made - held,
    slots,
    outbox: [],
    announced: 0,
    ...about,
  };
}
