import { DAY, HOUR } from '#shared/kernel/clock.ts';
import type { PspAdapter, PspPing } from '#shared/ports/psp.port.ts';
import { credentialsReader } from '#shared/psp/kit/credentials.ts';
import { MOLLIE_CAPABILITIES } from '#shared/psp/mollie/capabilities.ts';
import { MollieCredentials } from '#shared/psp/mollie/credentials.schema.ts';
import { read } from '#shared/psp/mollie/mapping.rules.ts';
import { cancelCharge } from '#shared/psp/mollie/mollie.cancel.ts';
import { confirmPayment, createPayment, fetchCharge } from '#shared/psp/mollie/mollie.charges.ts';
import { get, type MollieContext } from '#shared/psp/mollie/mollie.client.ts';
import { fetchRefund, listRefunds, refundCharge } from '#shared/psp/mollie/mollie.refunds.ts';
import { mollieAmount } from '#shared/psp/mollie/money.rules.ts';
import { Profile } from '#shared/psp/mollie/objects.schema.ts';
import { keepsToken } from '#shared/psp/mollie/token.rules.ts';
import { readMollieCallback, verifyMollieCallback } from '#shared/psp/mollie/webhook.rules.ts';

/**
 * A charge is a payment (`tr_…`). There is no search by our own reference: the outcome of an unanswered call is learnt
 * from its repeat.
 */
export const mollie: PspAdapter<MollieCredentials> = {
  provider: 'mollie',
  baseUrls: { sandbox: 'https://api.mollie.com', live: 'https://api.mollie.com' },
  capabilities: MOLLIE_CAPABILITIES,
  // How long Mollie keeps a key is not clearly documented: an hour is the shortest time named anywhere. Refunds are
  // searched before they are repeated.
  unknownOutcome: { ask: 'repeat', keyLife: HOUR, refundKeyLife: 60 * DAY },
  parseCredentials: credentialsReader(MollieCredentials, 'Mollie', ({ api_key }) =>
    api_key.startsWith('test_') ? 'sandbox' : 'live',
  ),
  canExpress: (amount, currency) => mollieAmount(amount, currency) !== undefined,
  keepsToken,
  create: createPayment,
  confirm: ({ reference, order }, psp) => confirmPayment(reference, order, psp),
  cancel: cancelCharge,
  refund: refundCharge,
  fetch: fetchCharge,
  fetchRefund,
  listRefunds,
  ping,
  readCallback: readMollieCallback,
  unsignedCallbacks: true,
  verifyCallback: verifyMollieCallback,
};

async function ping(psp: MollieContext): Promise<PspPing> {
  const profile = read(
    Profile,
    'profile',
    await get({ operation: 'ping', paymentId: null, path: '/profiles/me' }, psp),
  );
  return { accountName: profile.name ?? null };
}
