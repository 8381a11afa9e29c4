import { DAY } from '#shared/kernel/clock.ts';
import type { PspAdapter, PspPing } from '#shared/ports/psp.port.ts';
import { credentialsReader } from '#shared/psp/kit/credentials.ts';
import { STRIPE_CAPABILITIES } from '#shared/psp/stripe/capabilities.ts';
import { StripeCredentials } from '#shared/psp/stripe/credentials.schema.ts';
import { refusal } from '#shared/psp/stripe/error.rules.ts';
import { read } from '#shared/psp/stripe/mapping.rules.ts';
import { stripeUnits } from '#shared/psp/stripe/money.rules.ts';
import { Account } from '#shared/psp/stripe/objects.schema.ts';
import { cancelIntent, expireSession } from '#shared/psp/stripe/stripe.cancel.ts';
import { confirmIntent, createIntent, createSession } from '#shared/psp/stripe/stripe.charges.ts';
import { ask, type StripeContext } from '#shared/psp/stripe/stripe.client.ts';
import { fetchCharge, isSession } from '#shared/psp/stripe/stripe.lookups.ts';
import { fetchRefund, refundCharge } from '#shared/psp/stripe/stripe.refunds.ts';
import { searchCharge } from '#shared/psp/stripe/stripe.search.ts';
import { keepsToken } from '#shared/psp/stripe/token.rules.ts';
import { readStripeEvent, verifyStripeEvent } from '#shared/psp/stripe/webhook.rules.ts';

/** A charge is a payment intent (`pi_…`), or a checkout session (`cs_…`) until the customer has paid on its page. */
export const stripe: PspAdapter<StripeCredentials> = {
  provider: 'stripe',
  baseUrls: { sandbox: 'https://api.stripe.com', live: 'https://api.stripe.com' },
  capabilities: STRIPE_CAPABILITIES,
  unknownOutcome: { ask: 'repeat', keyLife: DAY },
  parseCredentials: credentialsReader(StripeCredentials, 'Stripe', ({ secret_key }) =>
    /^.k_test_/.test(secret_key) ? 'sandbox' : 'live',
  ),
  canExpress: (amount, currency) => stripeUnits(amount, currency) !== undefined,
  keepsToken,
  create: (order, psp) =>
    order.paymentMethod.token === undefined ? createSession(order, psp) : createIntent(order, psp),
  confirm: ({ reference, order }, psp) =>
    isSession(reference)
      ? fetchCharge(reference, { operation: 'confirm', paymentId: order.paymentId }, psp)
      : confirmIntent(reference, order, psp),
  cancel: ({ reference, paymentId }, psp) =>
    (isSession(reference) ? expireSession : cancelIntent)(reference, { operation: 'cancel', paymentId }, psp),
  refund: refundCharge,
  fetch: ({ reference, paymentId, wanted }, psp) =>
    fetchCharge(reference, { operation: 'fetch', paymentId, wanted }, psp),
  find: searchCharge,
  fetchRefund,
  ping,
  readCallback: readStripeEvent,
  verifyCallback: verifyStripeEvent,
};

/** A restricted key that can't read its account is still valid; only the name stays unknown. */
async function ping(psp: StripeContext): Promise<PspPing> {
  const answer = await ask({ operation: 'ping', paymentId: null, path: '/v1/account' }, psp);
  if (!answer.ok && answer.status === 403) return { accountName: null };
  if (!answer.ok) throw refusal(answer.status, answer.fault);
  const { business_profile, settings, company } = read(Account, 'account', answer.body);
  return { accountName: business_profile?.name ?? settings?.dashboard?.display_name ?? company?.name ?? null };
}
