import * as z from 'zod';
import { DAY } from '#shared/kernel/clock.ts';
import { type PspAdapter, type PspPing, PspRefused } from '#shared/ports/psp.port.ts';
import { FLUTTERWAVE_CAPABILITIES } from '#shared/psp/flutterwave/capabilities.ts';
import { FlutterwaveCredentials } from '#shared/psp/flutterwave/credentials.schema.ts';
import { createCharge } from '#shared/psp/flutterwave/flutterwave.charges.ts';
import { type FlutterwaveContext, get } from '#shared/psp/flutterwave/flutterwave.client.ts';
import { confirmCharge } from '#shared/psp/flutterwave/flutterwave.confirm.ts';
import { fetchCharge, findCharge } from '#shared/psp/flutterwave/flutterwave.lookups.ts';
import { fetchRefund, refundCharge } from '#shared/psp/flutterwave/flutterwave.refunds.ts';
import { read } from '#shared/psp/flutterwave/mapping.rules.ts';
import { majorUnits } from '#shared/psp/flutterwave/money.rules.ts';
import { keepsToken } from '#shared/psp/flutterwave/token.rules.ts';
import { readFlutterwaveEvent, verifyFlutterwaveEvent } from '#shared/psp/flutterwave/webhook.rules.ts';
import { credentialsReader } from '#shared/psp/kit/credentials.ts';

/**
 * Version 3 of the API. It has no idempotency keys: a charge is sent once and then only looked up, a refund is searched
 * before it is sent.
 */
export const flutterwave: PspAdapter<FlutterwaveCredentials> = {
  provider: 'flutterwave',
  baseUrls: { sandbox: 'https://api.flutterwave.com', live: 'https://api.flutterwave.com' },
  capabilities: FLUTTERWAVE_CAPABILITIES,
  unknownOutcome: { ask: 'find', absent: 'failed', keyLife: 0, refundKeyLife: 180 * DAY },
  parseCredentials: credentialsReader(FlutterwaveCredentials, 'Flutterwave', ({ secret_key }) =>
    secret_key.startsWith('FLWSECK_TEST-') ? 'sandbox' : 'live',
  ),
  canExpress: (amount, currency) => majorUnits(amount, currency) !== undefined,
  keepsToken,
  needsEmail: true,
  create: createCharge,
  confirm: confirmCharge,
  cancel: async () => {
    throw new PspRefused('state', 'Flutterwave has no way to end a charge.');
  },
  unguardedRefunds: true,
  refund: refundCharge,
  fetch: (charge, psp) => fetchCharge(charge, psp),
  find: findCharge,
  fetchRefund,
  ping,
  readCallback: readFlutterwaveEvent,
  verifyCallback: verifyFlutterwaveEvent,
};

/** No documented call tells the merchant's name. */
async function ping(psp: FlutterwaveContext): Promise<PspPing> {
  read(
    z.array(z.unknown()),
    'list of balances',
    (await get({ operation: 'ping', paymentId: null, path: '/v3/balances' }, psp)).data,
  );
  return { accountName: null };
}
