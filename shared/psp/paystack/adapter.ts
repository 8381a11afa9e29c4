import { type PspAdapter, type PspPing, PspRefused } from '#shared/ports/psp.port.ts';
import { credentialsParser } from '#shared/psp/kit/credentials.ts';
import { type PaystackContext, requestOrThrow } from '#shared/psp/paystack/client.ts';
import { PaystackCredentials } from '#shared/psp/paystack/credentials.schema.ts';
import { paystackFacts } from '#shared/psp/paystack/facts.ts';
import { fetchCharge, findCharge } from '#shared/psp/paystack/lookups.ts';
import { confirmCharge, createCharge } from '#shared/psp/paystack/payments.ts';
import { fetchRefund, listRefunds, refundCharge } from '#shared/psp/paystack/refunds.ts';
import { Balances, readObject } from '#shared/psp/paystack/schema.ts';
import { parsePaystackCallback, verifyPaystackCallback } from '#shared/psp/paystack/webhooks.ts';

/** A charge's reference is our attempt's id. Paystack's own number is not needed. */
export const paystack: PspAdapter<PaystackCredentials> = {
  ...paystackFacts,
  parseCredentials: credentialsParser(PaystackCredentials, 'Paystack', ({ secret_key }) =>
    secret_key.startsWith('sk_test_') ? 'sandbox' : 'live',
  ),
  create: createCharge,
  confirm: confirmCharge,
  cancel: async () => {
    throw new PspRefused('state', 'Paystack cannot cancel a transaction.');
  },
  refund: refundCharge,
  fetch: fetchCharge,
  find: findCharge,
  fetchRefund,
  listRefunds,
  chargeIds: async (charge, psp) => (await import('#shared/psp/paystack/transactions.ts')).chargeIds(charge, psp),
  disputeCalls: async () => (await import('#shared/psp/paystack/disputes.ts')).disputes,
  ping,
  parseCallback: parsePaystackCallback,
  verifyCallback: verifyPaystackCallback,
};

/** No call returns the account's name. */
async function ping(psp: PaystackContext): Promise<PspPing> {
  readObject(Balances, 'balance', await requestOrThrow({ operation: 'ping', paymentId: null, path: '/balance' }, psp));
  return { accountName: null };
}
