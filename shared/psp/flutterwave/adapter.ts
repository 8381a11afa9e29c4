import * as z from 'zod';
import { type PspAdapter, type PspPing, PspRefused } from '#shared/ports/psp.port.ts';
import { type FlutterwaveContext, requestOrThrow } from '#shared/psp/flutterwave/client.ts';
import { FlutterwaveCredentials } from '#shared/psp/flutterwave/credentials.schema.ts';
import { flutterwaveFacts } from '#shared/psp/flutterwave/facts.ts';
import { fetchCharge, findCharge } from '#shared/psp/flutterwave/lookups.ts';
import { confirmCharge, createCharge } from '#shared/psp/flutterwave/payments.ts';
import { fetchRefund, listRefunds, refundCharge } from '#shared/psp/flutterwave/refunds.ts';
import { readObject } from '#shared/psp/flutterwave/schema.ts';
import {
  isUnsignedByFlutterwave,
  parseFlutterwaveCallback,
  verifyFlutterwaveCallback,
} from '#shared/psp/flutterwave/webhooks.ts';
import { credentialsParser } from '#shared/psp/kit/credentials.ts';

/**
 * Version 3 of the API. It has no idempotency keys. A charge is sent once and then only looked up; a refund is searched
 * before it is sent.
 */
export const flutterwave: PspAdapter<FlutterwaveCredentials> = {
  ...flutterwaveFacts,
  parseCredentials: credentialsParser(FlutterwaveCredentials, 'Flutterwave', ({ secret_key }) =>
    secret_key.startsWith('FLWSECK_TEST-') ? 'sandbox' : 'live',
  ),
  create: createCharge,
  confirm: confirmCharge,
  cancel: async () => {
    throw new PspRefused('state', 'Flutterwave cannot cancel a charge.');
  },
  refund: refundCharge,
  fetch: (charge, psp) => fetchCharge(charge, psp),
  find: findCharge,
  fetchRefund,
  listRefunds,
  chargeIds: async (charge, psp) => (await import('#shared/psp/flutterwave/transactions.ts')).chargeIds(charge, psp),
  disputeCalls: async () => (await import('#shared/psp/flutterwave/disputes.ts')).disputes,
  ping,
  parseCallback: parseFlutterwaveCallback,
  verifyCallback: verifyFlutterwaveCallback,
  isUnsigned: isUnsignedByFlutterwave,
};

/** No documented call returns the merchant's name. */
async function ping(psp: FlutterwaveContext): Promise<PspPing> {
  readObject(
    z.array(z.unknown()),
    'list of balances',
    (await requestOrThrow({ operation: 'ping', paymentId: null, path: '/v3/balances' }, psp)).data,
  );
  return { accountName: null };
}
