import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv } from 'ajv';
import { Checkout } from 'checkout-sdk-node';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkoutSimulator } from '#lib/simulators/checkout/server.ts';
import type { Simulators } from '#lib/simulators/simulators.port.ts';
import { startSimulators } from '#lib/simulators/simulators.ts';

/**
 * Checkout.com's own library makes real calls to the simulator. It knows nothing of our adapter. Each response is also
 * held against Checkout.com's document of 2022, where that document is at hand.
 */
const DOCUMENT = new URL('../../../shared/psp-specs/checkout.nas-2022-07.openapi.json', import.meta.url);
/** The library's own test of a key of today's accounts. */
const KEY_FORMAT = /^sk_sbox_?[a-z2-7]{26}[a-z2-7*#$=]$/;
const CHANNEL = 'pc_hpswyyx23geezflc2ocz3exn4y';
const SECRET = 'signature-key-of-the-shop';

// biome-ignore lint/suspicious/noExplicitAny: the library types its responses as any object.
type Json = any;

let calls = 0;
let checked = 0;
const mismatches: string[] = [];

/** The document requires an id of a payment's balances, which no recorded response has, nor its own examples. */
const FAULT_OF_DOCUMENT = /\/balances must have required property 'id'/;

function responseCheck(): (schema: string, value: unknown) => void {
  if (!existsSync(DOCUMENT)) return () => {};
  const { components } = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: 'checkout', components });
  return (schema, value) => {
    checked += 1;
    const validate = ajv.compile({ $ref: `checkout#/components/schemas/${schema}` });
    if (validate(value)) return;
    const faults = (validate.errors ?? []).map(({ instancePath, message }) => `${schema}${instancePath} ${message}`);
    mismatches.push(...faults.filter((fault) => !FAULT_OF_DOCUMENT.test(fault)));
  };
}
const conforms = responseCheck();

async function openEndpoint() {
  const webhooks: { readonly raw: string; readonly signature: string }[] = [];
  const server = createServer(async (request, response) => {
    webhooks.push({ raw: (await request.toArray()).join(''), signature: String(request.headers['cko-signature']) });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { webhooks, server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let simulators: Simulators;
let endpoint: Awaited<ReturnType<typeof openEndpoint>>;
let cko: Checkout;
const key = String(checkoutSimulator.randomCredentials('sandbox').secret_key);

beforeEach(async () => {
  endpoint = await openEndpoint();
  simulators = await startSimulators({
    port: 0,
    database: ':memory:',
    clock: { now: () => new Date('2027-03-01T10:00:00Z') },
    webhookBase: () => endpoint.address,
    protect: { seal: (text) => text, open: (text) => text },
  });
  simulators.registerAccount('checkout', { secret_key: key, webhook_secret: SECRET });
  cko = client(key);
});
afterEach(async () => {
  await simulators.close();
  endpoint.server.closeAllConnections();
  endpoint.server.close();
});
afterAll(() =>
  console.log(`checkout-sdk-node: ${calls} calls, ${checked} responses checked, ${mismatches.length} mismatches`),
);

const client = (secret: string) => new Checkout(secret, { host: `${simulators.base}/checkout`, subdomain: 'demo1234' });

const call = async <T>(promise: Promise<T>): Promise<Json> => {
  calls += 1;
  return promise;
};
const refused = async (promise: Promise<unknown>): Promise<Json> => {
  calls += 1;
  return promise.then(
    () => expect.fail('The call was not refused.'),
    (error: unknown) => error,
  );
};

const request = (more: object = {}): Json => ({
  source: { token: 'ok' },
  amount: 2000,
  currency: 'EUR',
  reference: 'ref-1',
  processing_channel_id: CHANNEL,
  metadata: { payment_id: 'pay_1' },
  ...more,
});
const pay = (more: object = {}, idempotencyKey?: string) => call(cko.payments.request(request(more), idempotencyKey));

/** What the library leaves of a response, without what it adds. */
const plain = ({ requiresRedirect: _, redirectLink: __, ...response }: Json): unknown => response;

describe('the official library of Checkout.com at the simulator', () => {
  it('takes the simulator’s keys for keys of today’s accounts', () => expect(key).toMatch(KEY_FORMAT));

  it('pays, and reads the payment, its actions and the list of its reference', async () => {
    const paid = await pay();
    expect(paid).toMatchObject({ approved: true, status: 'Authorized', requiresRedirect: false });
    conforms('PaymentResponse', plain(paid));
    const details = await call(cko.payments.get(paid.id));
    expect(details).toMatchObject({ id: paid.id, status: 'Captured', amount: 2000, reference: 'ref-1' });
    conforms('PaymentDetails', details);
    const actions = await call(cko.payments.getActions(paid.id));
    expect(actions.map(({ type }: Json) => type)).toEqual(['Capture', 'Authorization']);
    for (const action of actions) conforms('PaymentAction', action);
    const list = await call(cko.payments.getPaymentList({ reference: 'ref-1', limit: 10, skip: 0 }));
    expect(list).toMatchObject({ total_count: 1, data: [{ id: paid.id }] });
    conforms('PaymentDetails', list.data[0]);
  });

  it('is sent to the bank for 3-D Secure, and finds the payment by the session of the return', async () => {
    const waiting = await pay({ source: { token: 'needs_3ds' }, '3ds': { enabled: true } });
    expect(waiting).toMatchObject({ status: 'Pending', requiresRedirect: true, redirectLink: expect.any(String) });
    conforms('PaymentAcceptedResponse', plain(waiting));
    const returned = await fetch(waiting.redirectLink, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ do: 'authenticate' }),
    });
    expect(returned.status).toBeLessThan(400);
    const details = await call(cko.payments.get(waiting.id));
    expect(details).toMatchObject({ status: 'Captured', '3ds': { enrolled: 'Y', authentication_response: 'Y' } });
    conforms('PaymentDetails', details);
  });

  it.each([
    ['decline_do_not_honor', '20005', { partner_response_code: '05' }],
    ['decline_20118', '20118', undefined],
    ['decline_43401', '43401', undefined],
    ['decline_20005_recommendation_03', '20005', { partner_response_code: '05', recommendation_code: '03' }],
    ['decline_20005_advice_21', '20005', { partner_response_code: '05', partner_merchant_advice_code: '21' }],
  ])('is declined by the token %s', async (token, response_code, processing) => {
    const declined = await pay({ source: { token } });
    expect(declined).toMatchObject({ approved: false, status: 'Declined', response_code });
    expect(declined.processing).toEqual(processing);
    conforms('PaymentResponse', plain(declined));
    const details = await call(cko.payments.get(declined.id));
    expect(details.processing).toEqual(processing);
    conforms('PaymentDetails', details);
  });

  it('sees a failed authentication only in the payment, which has no action', async () => {
    const waiting = await pay({ source: { token: 'decline_authentication_N' }, '3ds': { enabled: true } });
    expect(waiting.requiresRedirect).toBe(true);
    simulators.complete('checkout', waiting.id, 'failed');
    const details = await call(cko.payments.get(waiting.id));
    expect(details).toMatchObject({ status: 'Declined', '3ds': { authentication_response: 'N' } });
    conforms('PaymentDetails', details);
    expect(await call(cko.payments.getActions(waiting.id))).toEqual([]);
  });

  it('gets the same payment for the same key', async () => {
    const [first, second] = [await pay({}, 'key-1'), await pay({}, 'key-1')];
    expect(second.id).toBe(first.id);
    expect((await pay({}, 'key-2')).id).not.toBe(first.id);
  });

  it('captures a part, voids, and refunds in part and in full', async () => {
    const held = await pay({ capture: false });
    const capture = await call(cko.payments.capture(held.id, { amount: 1500, reference: 'cap-1' } as Json));
    conforms('CaptureAcceptedResponse', capture);
    const refund = await call(cko.payments.refund(held.id, { amount: 500, reference: 're-1' }, 'refund-1'));
    conforms('RefundAcceptedResponse', refund);
    expect(await call(cko.payments.refund(held.id, { amount: 500, reference: 're-1' }, 'refund-1'))).toEqual(refund);
    await call(cko.payments.refund(held.id));
    const details = await call(cko.payments.get(held.id));
    expect(details).toMatchObject({ status: 'Refunded', balances: { total_captured: 1500, total_refunded: 1500 } });
    conforms('PaymentDetails', details);
    const other = await pay({ capture: false });
    conforms('VoidAcceptedResponse', await call(cko.payments.void(other.id, { reference: 'void-1' })));
    expect((await call(cko.payments.get(other.id))).status).toBe('Voided');
  });

  it('opens a hosted page and reads it', async () => {
    const { source: _, ...page } = request();
    const urls = {
      success_url: 'https://shop.example/1',
      failure_url: 'https://shop.example/2',
      cancel_url: 'https://shop.example/3',
    };
    const created = await call(
      cko.hostedPayments.create({ ...page, billing: { address: { country: 'DE' } }, ...urls }),
    );
    conforms('HostedPaymentsResponse', created);
    const read = await call(cko.hostedPayments.get(created.id));
    expect(read).toMatchObject({ id: created.id, status: 'Payment Pending' });
    conforms('GetHostedPaymentsResponse', read);
  });

  it.each<[string, () => Promise<unknown>, string, object]>([
    ['a foreign key', () => client('sk_sbox_revoked').payments.get('pay_x'), 'AuthenticationError', { http_code: 401 }],
    ['an unknown payment', () => cko.payments.get('pay_x'), 'NotFoundError', { http_code: 404 }],
    [
      'a request without a source',
      () => cko.payments.request(request({ source: undefined })),
      'ValidationError',
      { http_code: 422, body: { error_type: 'request_invalid', error_codes: ['payment_source_required'] } },
    ],
    [
      'a token that is none',
      () => cko.payments.request(request({ source: { token: 'nonsense' } })),
      'ValidationError',
      { body: { error_codes: ['token_invalid'] } },
    ],
  ])('throws its own error for %s', async (_, run, name, expected) => {
    const error = await refused(run());
    expect(error.name).toBe(name);
    expect(error).toMatchObject(expected);
  });

  it('throws its own errors for a refund that is not allowed, a limit and a failure', async () => {
    const held = await pay({ capture: false });
    expect((await refused(cko.payments.refund(held.id))).name).toBe('ActionNotAllowed');
    simulators.setScenario({ provider: 'checkout', behaviour: 'rate_limited', match: { operation: 'fetch' } });
    expect((await refused(cko.payments.get(held.id))).name).toBe('TooManyRequestsError');
    simulators.setScenario({ provider: 'checkout', behaviour: 'http_500', match: { operation: 'fetch' } });
    expect((await refused(cko.payments.get(held.id))).http_code).toBe(500);
  });

  it('gets callbacks that are signed over their bytes and name the payment', async () => {
    const paid = await pay();
    await simulators.idle();
    const events = endpoint.webhooks.map(({ raw }) => JSON.parse(raw));
    expect(events.map(({ type }: Json) => type).sort()).toEqual(['payment_approved', 'payment_captured']);
    for (const { raw, signature } of endpoint.webhooks)
      expect(signature).toBe(createHmac('sha256', SECRET).update(raw).digest('hex'));
    for (const { data } of events)
      expect(data).toMatchObject({ id: paid.id, reference: 'ref-1', metadata: { payment_id: 'pay_1' } });
  });
});

it.runIf(existsSync(DOCUMENT))(
  'no response contradicts the document of Checkout.com (needs ../shared/psp-specs)',
  () => {
    expect(checked).toBeGreaterThan(20);
    expect(mismatches).toEqual([]);
  },
);
