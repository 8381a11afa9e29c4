import { createVerify, X509Certificate } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import {
  ApiError,
  CheckoutPaymentIntent,
  Client,
  Environment,
  OAuthAuthorizationController,
  OrdersController,
  PaymentsController,
} from '@paypal/paypal-server-sdk';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Simulators } from '#lib/simulators/simulators.port.ts';
import { startSimulators } from '#lib/simulators/simulators.ts';
import recorded from '#test/fixtures/paypal/recorded-answers.json' with { type: 'json' };

/**
 * PayPal's own server library makes real calls to the simulator. It knows nothing of our adapter. Each response is
 * compared with what the library reads of it: a field that it does not know would be missing. The library has no
 * verifier of callbacks, so the last test follows PayPal's description of the signature. It lists transactions only by
 * a report that needs an extra permission, which is not simulated.
 */
const SANDBOX = 'https://api-m.sandbox.paypal.com';
const SHOP = {
  client_id: 'client-of-the-shop',
  client_secret: 'secret-of-the-shop',
  webhook_secret: '1JE4291016473214C',
};

// biome-ignore lint/suspicious/noExplicitAny: the raw JSON is compared leaf by leaf.
type Json = any;
type Webhook = { readonly raw: string; readonly headers: IncomingHttpHeaders };

let calls = 0;
let compared = 0;
let mismatches = 0;
let simulators: Simulators;
let webhooks: Webhook[];
let closeEndpoint: () => void;
let orders: OrdersController;
let payments: PaymentsController;
let client: Client;

beforeEach(async () => {
  webhooks = [];
  const endpoint = createServer(async (request, response) => {
    webhooks.push({ raw: (await request.toArray()).join(''), headers: request.headers });
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  closeEndpoint = () => {
    endpoint.closeAllConnections();
    endpoint.close();
  };
  simulators = await startSimulators({
    port: 0,
    database: ':memory:',
    clock: { now: () => new Date('2027-03-01T10:00:00Z') },
    webhookBase: () => `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`,
    protect: { seal: (text) => text, open: (text) => text },
  });
  simulators.registerAccount('paypal', SHOP);
  client = clientOf(SHOP.client_id, SHOP.client_secret);
  orders = new OrdersController(client);
  payments = new PaymentsController(client);
});
afterEach(async () => {
  await simulators.close();
  closeEndpoint();
});
afterAll(() =>
  console.log(`@paypal/paypal-server-sdk: ${calls} calls, ${compared} responses compared, ${mismatches} mismatches`),
);

/** The library knows PayPal's own hosts only: its transport brings the call to the simulator. */
const clientOf = (oAuthClientId: string, oAuthClientSecret: string): Client =>
  new Client({
    environment: Environment.Sandbox,
    clientCredentialsAuthCredentials: { oAuthClientId, oAuthClientSecret },
    unstable_httpClientOptions: { adapter: toSimulator },
  });

async function toSimulator(config: Json): Promise<Json> {
  calls += 1;
  const url = config.url.replace(SANDBOX, `${simulators.base}/paypal`);
  const response = await fetch(url, {
    method: config.method,
    headers: config.headers.toJSON(),
    body: config.data ?? null,
  });
  const { status, statusText, headers } = response;
  return { data: await response.text(), status, statusText, headers: Object.fromEntries(headers), config, request: {} };
}

function leavesOf(value: Json): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [String(value)];
}

/** What the library read. Every value of the response must be in it. */
async function read<T>(call: Promise<{ readonly result: T; readonly body: unknown }>): Promise<T> {
  const { result, body } = await call;
  const [raw, parsed] = [leavesOf(JSON.parse(String(body))).toSorted(), leavesOf(result).toSorted()];
  compared += 1;
  if (raw.join() !== parsed.join()) mismatches += 1;
  expect(parsed).toEqual(raw);
  return result;
}

const refused = async (
  call: Promise<unknown>,
): Promise<{ status: number; name: string; issue: string | undefined }> => {
  const error = await call.then(
    () => expect.fail('The call was not refused.'),
    (caught: unknown) => caught,
  );
  if (!(error instanceof ApiError)) throw error;
  const { name, error: login, details } = JSON.parse(String(error.body));
  return { status: error.statusCode, name: name ?? login, issue: details?.[0].issue };
};

let count = 0;
const unitOf = (value: string, currencyCode = 'EUR') => ({
  amount: { currencyCode, value },
  customId: 'org_1|conn_1|pay_1',
  invoiceId: `att_${++count}`,
});
const prefer = 'return=representation';
const intent = CheckoutPaymentIntent.Capture;
const onCard = (vaultId: string, paypalRequestId = `key-${++count}`) => ({
  paypalRequestId,
  prefer,
  body: { intent, purchaseUnits: [unitOf('20.00')], paymentSource: { card: { vaultId } } },
});
const onPage = (value = '20.00', currency = 'EUR') => ({
  paypalRequestId: `key-${++count}`,
  prefer,
  body: {
    intent,
    purchaseUnits: [unitOf(value, currency)],
    paymentSource: {
      paypal: {
        experienceContext: { returnUrl: 'https://shop.example/back', cancelUrl: 'https://shop.example/cart' },
      },
    },
  },
});
const captureIn = (order: Json) => order.purchaseUnits[0].payments.captures[0];

describe('PayPal’s server library on the simulator', () => {
  it('logs in', async () => {
    const basic = Buffer.from(`${SHOP.client_id}:${SHOP.client_secret}`).toString('base64');
    const controller = new OAuthAuthorizationController(client);
    const { result } = await controller.requestToken({ authorization: `Basic ${basic}` });
    expect(result).toMatchObject({ accessToken: expect.stringMatching(/^A21AA/), tokenType: 'Bearer' });
    expect(
      await refused(new OrdersController(clientOf('an-invalid-client', 'x-secret-x')).getOrder({ id: '1' })),
    ).toEqual({ status: 401, name: 'invalid_client', issue: undefined });
  });

  it('creates an order with a saved card, and reads its order and its capture', async () => {
    const order = await read(orders.createOrder(onCard('ok')));
    expect(order).toMatchObject({ status: 'COMPLETED', intent: 'CAPTURE' });
    expect(captureIn(order)).toMatchObject({ status: 'COMPLETED', processorResponse: { responseCode: '0000' } });
    expect(await read(orders.getOrder({ id: String(order.id) }))).toMatchObject({ id: order.id });
    const capture = await read(payments.getCapturedPayment({ captureId: captureIn(order).id }));
    expect(capture).toMatchObject({ customId: 'org_1|conn_1|pay_1', amount: { currencyCode: 'EUR', value: '20.00' } });
  });

  it('shows a saved card the fields that PayPal’s sandbox was seen to give', async () => {
    const isDecline = ({ given }: { readonly given: string }) => given.includes('CCREJECT-LS');
    const seen = recorded.find(isDecline)?.answers.at(-1)?.body as Json;
    const { body } = await orders.createOrder(onCard('processor_9520'));
    const ours = JSON.parse(String(body));
    const capture = (order: Json) => order.purchase_units[0].payments.captures[0];
    expect(Object.keys(ours)).toEqual(expect.arrayContaining(Object.keys(seen)));
    expect(Object.keys(capture(ours))).toEqual(expect.arrayContaining(Object.keys(capture(seen))));
    expect(capture(ours).processor_response).toEqual(capture(seen).processor_response);
  });

  it('reads declined captures with every kind of code', async () => {
    for (const [token, responseCode, advice] of [
      ['decline_insufficient_funds', '5120'],
      ['processor_0800', '0800'],
      ['processor_PPNL', 'PPNL'],
      ['processor_5100_advice_03', '5100', '03'],
      ['processor_0500_advice_24', '0500', '24'],
    ] as const) {
      const order = await read(orders.createOrder(onCard(token)));
      const { status, processorResponse } = captureIn(order);
      expect([status, processorResponse.responseCode, processorResponse.paymentAdviceCode]).toEqual([
        'DECLINED',
        responseCode,
        advice,
      ]);
    }
  });

  it('creates an order for the payer’s page, captures it once it is approved, and not twice', async () => {
    const order = await read(orders.createOrder(onPage()));
    const id = String(order.id);
    expect(order.links?.map(({ rel }) => rel)).toContain('payer-action');
    expect((await refused(orders.captureOrder({ id, paypalRequestId: 'early' }))).issue).toBe('ORDER_NOT_APPROVED');
    simulators.complete('paypal', id, 'succeeded');
    expect(await read(orders.getOrder({ id }))).toMatchObject({ status: 'APPROVED' });
    const captured = await read(orders.captureOrder({ id, paypalRequestId: 'capture', prefer }));
    expect(captureIn(captured)).toMatchObject({ status: 'COMPLETED' });
    expect(captureIn(await read(orders.captureOrder({ id, paypalRequestId: 'capture', prefer }))).id).toBe(
      captureIn(captured).id,
    );
    expect((await refused(orders.captureOrder({ id, paypalRequestId: 'again' }))).issue).toBe('ORDER_ALREADY_CAPTURED');
  });

  it.each([
    [
      '3ds_Y_U_UNKNOWN',
      { liabilityShift: 'UNKNOWN', threeDSecure: { enrollmentStatus: 'Y', authenticationStatus: 'U' } },
    ],
    ['3ds_N_-_NO', { liabilityShift: 'NO', threeDSecure: { enrollmentStatus: 'N' } }],
    ['needs_3ds', { liabilityShift: 'POSSIBLE', threeDSecure: { authenticationStatus: 'Y' } }],
  ])('reads the authentication of the saved card %s', async (token, expected) => {
    const { id } = await read(orders.createOrder(onCard(token)));
    simulators.complete('paypal', String(id), 'succeeded');
    const order = await read(orders.getOrder({ id: String(id) }));
    expect([order.status, order.paymentSource?.card?.authenticationResult]).toMatchObject(['APPROVED', expected]);
  });

  it('refunds in part and in full, and reads each refund', async () => {
    const captureId = captureIn(await read(orders.createOrder(onCard('ok')))).id;
    const amount = { currencyCode: 'EUR', value: '5.00' };
    const refund = (paypalRequestId: string, body: object) =>
      payments.refundCapturedPayment({ captureId, paypalRequestId, prefer, body });
    const part = await read(refund('refund-1', { amount, invoiceId: 're_1' }));
    expect(part).toMatchObject({ status: 'COMPLETED', amount, invoiceId: 're_1' });
    expect(await read(payments.getRefund({ refundId: String(part.id) }))).toMatchObject({ id: part.id });
    expect((await read(payments.getCapturedPayment({ captureId }))).status).toBe('PARTIALLY_REFUNDED');
    expect((await read(refund('refund-2', {}))).amount).toMatchObject({ value: '15.00' });
    expect((await read(payments.getCapturedPayment({ captureId }))).status).toBe('REFUNDED');
    expect((await refused(refund('refund-3', {}))).issue).toBe('CAPTURE_FULLY_REFUNDED');
  });

  it('takes yen without decimals, and refuses those with them', async () => {
    expect(await read(orders.createOrder(onPage('500', 'JPY')))).toMatchObject({ status: 'PAYER_ACTION_REQUIRED' });
    expect(await refused(orders.createOrder(onPage('500.50', 'JPY')))).toMatchObject({ status: 422 });
  });

  it('reads refusals of every status', async () => {
    expect(await refused(orders.getOrder({ id: 'UNKNOWN' }))).toMatchObject({
      status: 404,
      name: 'RESOURCE_NOT_FOUND',
    });
    expect(await refused(payments.getRefund({ refundId: 'UNKNOWN' }))).toMatchObject({ status: 404 });
    const empty = { prefer, body: { intent, purchaseUnits: [] } };
    expect(await refused(orders.createOrder(empty))).toMatchObject({ status: 400, name: 'INVALID_REQUEST' });
    const paypalMockResponse = '{"mock_application_codes": "PAYEE_ACCOUNT_RESTRICTED"}';
    expect(await refused(orders.createOrder({ ...onCard('ok'), paypalMockResponse }))).toEqual({
      status: 422,
      name: 'UNPROCESSABLE_ENTITY',
      issue: 'PAYEE_ACCOUNT_RESTRICTED',
    });
  });

  it('leads to a callback that PayPal’s description of its signature verifies', async () => {
    await read(orders.createOrder(onCard('ok')));
    await simulators.idle();
    const [{ raw, headers }] = webhooks as [Webhook];
    const named = (name: string) => String(headers[`paypal-${name}`]);
    const pem = await fetch(named('cert-url').replace('https://api.sandbox.paypal.com', `${simulators.base}/paypal`));
    const { publicKey } = new X509Certificate(await pem.text());
    const signed = [named('transmission-id'), named('transmission-time'), SHOP.webhook_secret, crc32(raw)].join('|');
    expect(named('auth-algo')).toBe('SHA256withRSA');
    expect(createVerify('sha256').update(signed).verify(publicKey, named('transmission-sig'), 'base64')).toBe(true);
    expect(JSON.parse(raw)).toMatchObject({ event_type: 'PAYMENT.CAPTURE.COMPLETED', resource_type: 'capture' });
  });
});
