import { DAY } from '#shared/kernel/clock.ts';
import { type PspAdapter, type PspPing, PspRefused } from '#shared/ports/psp.port.ts';
import { credentialsReader } from '#shared/psp/kit/credentials.ts';
import { PAYSTACK_CAPABILITIES } from '#shared/psp/paystack/capabilities.ts';
import { PaystackCredentials } from '#shared/psp/paystack/credentials.schema.ts';
import { read } from '#shared/psp/paystack/mapping.rules.ts';
import { paystackUnits } from '#shared/psp/paystack/money.rules.ts';
import { Balances } from '#shared/psp/paystack/objects.schema.ts';
import { confirmCharge, createCharge } from '#shared/psp/paystack/paystack.charges.ts';
import { get, type PaystackContext } from '#shared/psp/paystack/paystack.client.ts';
import { fetchCharge, findCharge } from '#shared/psp/paystack/paystack.lookups.ts';
import { fetchRefund, listRefunds, refundCharge } from '#shared/psp/paystack/paystack.refunds.ts';
import { keepsToken } from '#shared/psp/paystack/token.rules.ts';
import { readPaystackEvent, verifyPaystackEvent } from '#shared/psp/paystack/webhook.rules.ts';

/** References are unique for ever, and a refund is searched before it is sent. */
const FOR_EVER = 3_650 * DAY;

/** A charge is known by our own reference, the attempt's id. Paystack's number is not needed. */
export const paystack: PspAdapter<PaystackCredentials> = {
  provider: 'paystack',
  baseUrls: { sandbox: 'https://api.paystack.co', live: 'https://api.paystack.co' },
  capabilities: PAYSTACK_CAPABILITIES,
  unknownOutcome: { ask: 'find', absent: 'send_again', keyLife: FOR_EVER },
  parseCredentials: credentialsReader(PaystackCredentials, 'Paystack', ({ secret_key }) =>
    secret_key.startsWith('sk_test_') ? 'sandbox' : 'live',
  ),
  canExpress: (amount, currency) => paystackUnits(amount, currency) !== undefined,
  keepsToken,
  needsEmail: true,
  create: createCharge,
  confirm: confirmCharge,
  cancel: async () => {
    throw new PspRefused('state', 'Paystack has no way to cancel a transaction.');
  },
  unguardedRefunds: true,
  refund: refundCharge,
  fetch: fetchCharge,
  find: findCharge,
  fetchRefund,
  listRefunds,
  ping,
  readCallback: readPaystackEvent,
  verifyCallback: verifyPaystackEvent,
};

/** No call tells the account's name. */
async function ping(psp: PaystackContext): Promise<PspPing> {
  read(Balances, 'balance', await get({ operation: 'ping', paymentId: null, path: '/balance' }, psp));
  return { accountName: null };
}
