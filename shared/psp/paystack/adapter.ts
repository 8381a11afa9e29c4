import { DAY } from '#shared/kernel/clock.ts';
import { type PspAdapter, type PspPing, PspRefused } from '#shared/ports/psp.port.ts';
import { credentialsParser } from '#shared/psp/kit/credentials.ts';
import { PAYSTACK_CAPABILITIES } from '#shared/psp/paystack/capabilities.ts';
import { type PaystackContext, requestOrThrow } from '#shared/psp/paystack/client.ts';
import { PaystackCredentials } from '#shared/psp/paystack/credentials.schema.ts';
import { fetchCharge, findCharge } from '#shared/psp/paystack/lookups.ts';
import { paystackUnits } from '#shared/psp/paystack/money.rules.ts';
import { confirmCharge, createCharge } from '#shared/psp/paystack/payments.ts';
import { fetchRefund, listRefunds, refundCharge } from '#shared/psp/paystack/refunds.ts';
import { isReusableToken, networksToChooseFrom } from '#shared/psp/paystack/requests.rules.ts';
import { Balances, readObject } from '#shared/psp/paystack/schema.ts';
import { parsePaystackCallback, verifyPaystackCallback } from '#shared/psp/paystack/webhooks.ts';

/** References are unique for ever, and a refund is searched before it is sent. */
const UNLIMITED = 3_650 * DAY;

/** A charge's reference is our attempt's id. Paystack's own number is not needed. */
export const paystack: PspAdapter<PaystackCredentials> = {
  provider: 'paystack',
  baseUrls: { sandbox: 'https://api.paystack.co', live: 'https://api.paystack.co' },
  capabilities: PAYSTACK_CAPABILITIES,
  unknownOutcome: { resolveBy: 'find', ifNotFound: 'send_again', keyLifetimeMs: UNLIMITED },
  parseCredentials: credentialsParser(PaystackCredentials, 'Paystack', ({ secret_key }) =>
    secret_key.startsWith('sk_test_') ? 'sandbox' : 'live',
  ),
  supportsAmount: (amount, currency) => paystackUnits(amount, currency) !== undefined,
  isReusableToken,
  networksToChooseFrom,
  requiresEmail: true,
  create: createCharge,
  confirm: confirmCharge,
  cancel: async () => {
    throw new PspRefused('state', 'Paystack cannot cancel a transaction.');
  },
  nonIdempotentRefunds: true,
  refund: refundCharge,
  fetch: fetchCharge,
  find: findCharge,
  fetchRefund,
  listRefunds,
  ping,
  parseCallback: parsePaystackCallback,
  verifyCallback: verifyPaystackCallback,
};

/** No call returns the account's name. */
async function ping(psp: PaystackContext): Promise<PspPing> {
  readObject(Balances, 'balance', await requestOrThrow({ operation: 'ping', paymentId: null, path: '/balance' }, psp));
  return { accountName: null };
}
