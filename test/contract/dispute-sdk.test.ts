import { createRequire } from 'node:module';
import type ClientClass from '@adyen/api-library/lib/src/client.js';
import type * as Disputes from '@adyen/api-library/lib/src/services/disputes/disputesApi.js';
import { Checkout } from 'checkout-sdk-node';
import { Client as Mollie } from 'mollie-api-typescript';
import Razorpay from 'razorpay';
import Stripe from 'stripe';
import { afterEach, describe, expect, it } from 'vitest';
import { openTestbed, type Payer, type Testbed } from '#test/contract/dispute-journeys.support.ts';

/**
 * The PSPs' own libraries make real calls to the simulators. They know nothing of our adapters, so what they send and
 * read is what the PSPs' disputes look like.
 */
// biome-ignore lint/suspicious/noExplicitAny: the libraries return what the API sends, whatever their types say.
type Json = any;

let bed: Testbed | undefined;
afterEach(() => bed?.close());

async function aDispute(provider: string, payer: Payer = {}) {
  bed = await openTestbed(provider, payer);
  const charge = await bed.pay();
  const reference = bed.simulators.openDispute(provider, charge.paymentId) ?? expect.fail('No dispute.');
  const credentials: Json = bed.credentials;
  return { reference, charge, credentials, base: `${bed.simulators.base}/${provider}` };
}

const errorOf = (call: Promise<unknown>): Promise<Json> =>
  call.then(
    () => expect.fail('The call should have failed.'),
    (error: unknown) => error,
  );

describe("the PSP's own library", () => {
  it('of Stripe reads a dispute, submits evidence once, and closes another', async () => {
    const { reference, charge, credentials, base } = await aDispute('stripe');
    const fetchFn = (url: string, init?: RequestInit) => fetch(url.replace(/^https?:\/\/[^/]+/, base), init);
    const httpClient = Stripe.createFetchHttpClient(fetchFn as typeof fetch);
    const stripe = new Stripe(credentials.secret_key, { httpClient, maxNetworkRetries: 0, telemetry: false });
    const read = await stripe.disputes.retrieve(reference);
    expect(read).toMatchObject({ object: 'dispute', status: 'needs_response', payment_intent: charge.reference });
    expect(new Date((read.evidence_details.due_by ?? 0) * 1_000).toISOString()).toMatch(/^2027-03-10/);
    const evidence = { uncategorized_text: 'It was delivered.' };
    expect(await stripe.disputes.update(reference, { evidence, submit: true })).toMatchObject({
      status: 'under_review',
      evidence,
      evidence_details: { submission_count: 1 },
    });
    expect(await errorOf(stripe.disputes.close(reference))).toMatchObject({ statusCode: 400 });
    expect((await stripe.disputes.list({ payment_intent: charge.reference })).data).toHaveLength(1);
  });

  it('of Adyen accepts a dispute, once', async () => {
    const { reference, credentials, base } = await aDispute('adyen');
    const require = createRequire(import.meta.url);
    const ofLibrary = <T>(path: string): T => require(`@adyen/api-library/lib/src/${path}`);
    const { default: Client } = ofLibrary<typeof ClientClass>('client.js');
    const { DisputesApi } = ofLibrary<typeof Disputes>('services/disputes/disputesApi.js');
    const httpClient = {
      request: async (endpoint: string, json: unknown, config: Json) => {
        const headers = { 'x-api-key': config.apiKey, 'content-type': 'application/json' };
        const url = endpoint.replace('https://ca-test.adyen.com', base);
        return (await fetch(url, { method: 'POST', headers, body: String(json) })).text();
      },
    };
    const client = new Client({ apiKey: credentials.api_key, environment: 'TEST' as never }, httpClient as never);
    const api = new DisputesApi(client);
    const request = { disputePspReference: reference, merchantAccountCode: credentials.merchant_account };
    expect((await api.acceptDispute(request)).disputeServiceResult).toMatchObject({ success: true });
    expect((await api.acceptDispute(request)).disputeServiceResult).toMatchObject({ success: false });
  });

  it('of Checkout.com reads a dispute, and provides and submits evidence', async () => {
    const { reference, charge, credentials, base } = await aDispute('checkout');
    const cko: Json = new Checkout(credentials.secret_key, { host: base, subdomain: 'demo1234' });
    expect(await cko.disputes.getDetails(reference)).toMatchObject({
      status: 'evidence_required',
      payment: { id: charge.reference },
    });
    await cko.disputes.provideEvidence(reference, { additional_evidence_text: 'It was delivered.' });
    await cko.disputes.submit(reference);
    expect((await cko.disputes.get({ payment_id: charge.reference })).data).toMatchObject([
      { id: reference, status: 'evidence_under_review' },
    ]);
    expect(await errorOf(cko.disputes.accept(reference))).toMatchObject({ http_code: 422 });
  });

  it('of Razorpay reads and accepts a dispute, and contests none without a document', async () => {
    const more = { paymentMethod: { type: 'card', token: 'ok', phone: '+919900000000' } };
    const { reference, charge, credentials, base } = await aDispute('razorpay', { currency: 'INR', more });
    const client: Json = new Razorpay({ key_id: credentials.key_id, key_secret: credentials.key_secret });
    client.api.rq.defaults.baseURL = base;
    expect(await client.disputes.fetch(reference)).toMatchObject({ status: 'open', payment_id: charge.reference });
    const texts = { summary: 'It was delivered.', action: 'submit' };
    expect(await errorOf(client.disputes.contest(reference, texts))).toMatchObject({ statusCode: 400 });
    expect(await client.disputes.accept(reference)).toMatchObject({ status: 'lost', amount_deducted: 5_000 });
  });

  it('of Mollie lists and reads a chargeback', async () => {
    const { reference, charge, credentials, base } = await aDispute('mollie');
    const mollie = new Mollie({ security: { apiKey: credentials.api_key }, serverURL: base });
    const ids = { paymentId: charge.reference, chargebackId: reference };
    expect(await mollie.chargebacks.get(ids)).toMatchObject({ id: reference, amount: { value: '50.00' } });
    const all: Json = await mollie.chargebacks.list({ paymentId: charge.reference });
    const { embedded } = all.result ?? all;
    expect(embedded.chargebacks.map(({ id }: Json) => id)).toEqual([reference]);
  });
});
