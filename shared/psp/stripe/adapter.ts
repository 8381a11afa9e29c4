import type { PspAdapter, PspPing } from '#shared/ports/psp.port.ts';
import { credentialsParser } from '#shared/psp/kit/credentials.ts';
import { refusal, type StripeContext, sendRequest } from '#shared/psp/stripe/client.ts';
import { StripeCredentials } from '#shared/psp/stripe/credentials.schema.ts';
import { stripeFacts } from '#shared/psp/stripe/facts.ts';
import { fetchCharge, findCharge, isSession } from '#shared/psp/stripe/lookups.ts';
import { cancelCharge, confirmCharge, createCharge } from '#shared/psp/stripe/payments.ts';
import { fetchRefund, listRefunds, refundCharge } from '#shared/psp/stripe/refunds.ts';
import { Account, readObject } from '#shared/psp/stripe/schema.ts';
import { parseStripeCallback, STRIPE_EVENTS, verifyStripeCallback } from '#shared/psp/stripe/webhooks.ts';

/** A charge is a payment intent (`pi_…`), or a checkout session (`cs_…`) until the customer has paid on its page. */
export const stripe: PspAdapter<StripeCredentials> = {
  ...stripeFacts,
  parseCredentials: credentialsParser(StripeCredentials, 'Stripe', ({ secret_key }) =>
    /^.k_test_/.test(secret_key) ? 'sandbox' : 'live',
  ),
  create: createCharge,
  confirm: confirmCharge,
  cancel: async (charge, psp) =>
    charge.manual && !isSession(charge.reference)
      ? (await import('#shared/psp/stripe/captures.ts')).releaseCharge(charge, psp)
      : cancelCharge(charge, psp),
  refund: refundCharge,
  fetch: ({ reference, paymentId, mayCapture, manual }, psp) =>
    fetchCharge(reference, { operation: 'fetch', paymentId, mayCapture, manual }, psp),
  find: findCharge,
  fetchRefund,
  listRefunds,
  chargeIds: async (charge, psp) => (await import('#shared/psp/stripe/transactions.ts')).chargeIds(charge, psp),
  disputeCalls: async () => (await import('#shared/psp/stripe/disputes.ts')).disputes,
  // Loaded by the first capture: most charges have none.
  capture: async (order, psp) => (await import('#shared/psp/stripe/captures.ts')).captureCharge(order, psp),
  fetchAuthorization: async (charge, psp) =>
    (await import('#shared/psp/stripe/captures.ts')).fetchAuthorization(charge, psp),
  ping,
  registeredEvents: STRIPE_EVENTS,
  parseCallback: parseStripeCallback,
  verifyCallback: verifyStripeCallback,
};

/** A restricted key that cannot read its account is still valid. Only the account's name stays unknown. */
async function ping(psp: StripeContext): Promise<PspPing> {
  const response = await sendRequest({ operation: 'ping', paymentId: null, path: '/v1/account' }, psp);
  if (!response.ok && response.status === 403) return { accountName: null };
  if (!response.ok) throw refusal(response.status, response.error);
  const { business_profile, settings, company } = readObject(Account, 'account', response.body);
  return { accountName: business_profile?.name ?? settings?.dashboard?.display_name ?? company?.name ?? null };
}
