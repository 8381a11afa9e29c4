import { describe, expect, it } from 'vitest';
import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import type { CaptureOrder } from '#shared/ports/capture.port.ts';
import { type ChargeOrder, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { razorpay } from '#shared/psp/razorpay/adapter.ts';
import type { CannedResponse, ReceivedRequest } from '#test/contract/canned-server.ts';
import type { Bench } from '#test/contract/psp.contract.ts';
import orderFixture from '#test/fixtures/razorpay/order-created.json' with { type: 'json' };
import captured from '#test/fixtures/razorpay/payment-captured.json' with { type: 'json' };

type Credentials = Parameters<typeof razorpay.ping>[0]['credentials'];
type Fields = Readonly<Record<string, unknown>>;

const body = (fields: object): CannedResponse => ({ body: fields });
const sentIn = (request: ReceivedRequest | undefined): Fields => (request?.body ? JSON.parse(request.body) : {});
const paths = (requests: readonly ReceivedRequest[]) =>
  requests.map(({ method, path }) => `${method} ${path.replace(/\/(pay|order)_\w+/, '/$1')}`);
const refused = (description: string, status = 400): CannedResponse => ({
  status,
  body: { error: { code: 'BAD_REQUEST_ERROR', description, source: 'NA', step: 'NA', reason: 'NA', metadata: {} } },
});

const UNTIL = new Date((captured.created_at + 3 * 24 * 60 * 60) * 1000).toISOString();

/** What Razorpay's documents say of charges that are captured later. */
export const describeRazorpayCaptures = ({ respond, requests, context, order, errorOf }: Bench<Credentials>): void => {
  const { paymentId, attemptId, metadata } = order;
  const manual: ChargeOrder = { ...order, capture: 'manual' };
  const charge = { reference: captured.id, paymentId, attemptId, mayCapture: true, manual: true } as const;
  const euros = { ...captured, amount: 1099, currency: 'EUR' };
  const held = { ...euros, status: 'authorized', captured: false };
  const lapsed = { ...euros, status: 'refunded', captured: false, refund_status: 'full' };
  const begun = body({ razorpay_payment_id: captured.id });
  const captureOrder: CaptureOrder = {
    paymentId,
    captureId: 'cap_01jc0000000000000000000001',
    reference: captured.id,
    amount: 1099,
    currency: 'EUR',
    authorized: 1099,
    final: true,
    metadata,
  };
  const authorized = {
    kind: 'authorized',
    reference: captured.id,
    amount: 1099,
    currency: 'EUR',
    capturable_until: UNTIL,
  };
  const succeeded = { kind: 'succeeded', reference: captured.id };
  const declined = (code: 'capture_declined' | 'authorization_expired') => ({
    kind: 'failed',
    reference: null,
    decline: { ...declineOf(code), provider_code: expect.toSatisfy((given) => given === null || given === 'NA') },
  });

  describe('the Razorpay adapter on charges that are captured later', () => {
    it('makes an order whose payment is only authorized, and takes no money in any look-up', async () => {
      respond(body(orderFixture), begun, body(held));
      expect(await razorpay.create(manual, context())).toEqual(authorized);
      expect(sentIn(requests()[0]).payment).toEqual({ capture: 'manual' });
      respond(body(held));
      expect(await razorpay.fetch(charge, context())).toEqual(authorized);
      respond(body(held));
      const confirmed = razorpay.confirm({ reference: captured.id, order: manual, input: {} }, context());
      expect(await confirmed).toEqual(authorized);
      expect(paths(requests()).filter((path) => path.endsWith('/capture'))).toEqual([]);
    });

    it('asks for three days in India, where an order can say it', async () => {
      respond('cut');
      await errorOf(razorpay.create({ ...manual, currency: 'INR' }, context()));
      expect(sentIn(requests()[0]).payment).toEqual({
        capture: 'manual',
        capture_options: { manual_expiry_period: 4320, refund_speed: 'normal' },
      });
    });

    it('asks for no capture of an off-session charge', async () => {
      respond('cut');
      const token = { token: 'token_1', customer_id: 'cust_1', contact: '+919876543210' };
      const away: ChargeOrder = { ...manual, offSession: true, paymentMethod: { type: 'card', token } };
      await errorOf(razorpay.create(away, context()));
      expect(sentIn(requests()[0])).toMatchObject({ payment_capture: false });
    });

    it("sends nothing for Razorpay's own page, which captures at once", async () => {
      const onPage: ChargeOrder = { ...manual, paymentMethod: { type: 'card' } };
      expect(await errorOf(razorpay.create(onPage, context()))).toMatchObject({ failure: 'invalid_payment_method' });
      expect(requests()).toEqual([]);
    });

    it.each<[string, object, object]>([
      ['captured since', euros, authorized],
      ['captured and refunded since', { ...euros, status: 'refunded' }, authorized],
      ['given back uncaptured', lapsed, { kind: 'canceled', reference: captured.id }],
    ])('reads a charge that was %s', async (_, fields, outcome) => {
      respond(body(fields));
      expect(await razorpay.fetch(charge, context())).toEqual(outcome);
    });

    it.each(['customer', 'dynamic'])('leaves a fee out of what is held when the bearer is %s', async (fee_bearer) => {
      respond(body({ ...held, amount: 1121, fee_bearer }), body({ ...orderFixture, amount: 1099, currency: 'EUR' }));
      expect(await razorpay.fetch(charge, context())).toEqual(authorized);
    });

    it('captures the whole payment, fee included, once it has read it', async () => {
      respond(body({ ...held, amount: 1121, fee_bearer: 'customer' }), body({ ...euros, amount: 1121 }));
      expect(await razorpay.capture?.(captureOrder, context())).toEqual(succeeded);
      expect(paths(requests())).toEqual(['GET /v1/payments/pay', 'POST /v1/payments/pay/capture']);
      expect(sentIn(requests()[1])).toEqual({ amount: 1121, currency: 'EUR' });
    });

    it('sends no capture of a part, which Razorpay refuses', async () => {
      expect(await errorOf(razorpay.capture!({ ...captureOrder, amount: 500 }, context()))).toMatchObject({
        failure: 'amount_not_supported',
      });
      expect(requests()).toEqual([]);
    });

    it.each<[string, object, object]>([
      ['that is captured already', euros, succeeded],
      ['that was refunded since', { ...euros, status: 'refunded' }, succeeded],
      ['that was given back', lapsed, declined('authorization_expired')],
      ['that has failed', { ...held, status: 'failed' }, declined('capture_declined')],
    ])('sends no second capture of a payment %s', async (_, fields, outcome) => {
      respond(body(fields));
      expect(await razorpay.capture?.({ ...captureOrder, isRepeat: true }, context())).toMatchObject(outcome);
      expect(paths(requests())).toEqual(['GET /v1/payments/pay']);
    });

    it('lets the payment decide about a refused capture', async () => {
      respond(body(held), refused('This payment has already been captured'), body(euros));
      expect(await razorpay.capture?.(captureOrder, context())).toEqual(succeeded);
      respond(body(held), refused('Capture amount must be equal to the amount authorized'), body(held));
      expect(await razorpay.capture?.(captureOrder, context())).toMatchObject(declined('capture_declined'));
    });

    it.each<[string, readonly CannedResponse[]]>([
      ['gets no response', ['cut']],
      ['is refused, and the payment cannot be read', [refused('Only payments …'), 'cut']],
      ['meets a bank that has not decided', [undecided(), body(held)]],
      ['is taken, and the payment does not show it', [body(held)]],
    ])('leaves a capture unknown when it %s', async (_, replies) => {
      respond(body(held), ...replies);
      expect(await errorOf(razorpay.capture!(captureOrder, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each<[string, object, object]>([
      ['open', held, { captured: 0, captures: [] }],
      ['closed', euros, { captured: 1099, captures: [{ ...succeeded, amount: 1099, currency: 'EUR' }] }],
      ['expired', lapsed, { captured: 0, captures: [] }],
    ])('reads a hold that is %s', async (state, fields, expected) => {
      respond(body(fields));
      expect(await razorpay.fetchAuthorization?.(charge, context())).toEqual({
        reference: captured.id,
        authorized: 1099,
        currency: 'EUR',
        state,
        capturable_until: UNTIL,
        ...expected,
      });
    });

    it.each(['created', 'failed'])('refuses to say what is held of a payment that is %s', async (status) => {
      respond(body({ ...held, status }));
      expect(await errorOf(razorpay.fetchAuthorization!(charge, context()))).toMatchObject({ kind: 'state' });
    });

    it('has no call that gives an authorization back', async () => {
      expect(await errorOf(razorpay.cancel(charge, context()))).toMatchObject({ name: 'PspRefused', kind: 'state' });
      expect(requests()).toEqual([]);
    });
  });
};

function undecided(): CannedResponse {
  return {
    status: 400,
    body: { error: { code: 'GATEWAY_ERROR', description: 'Later.', reason: 'capture_failed', source: 'gateway' } },
  };
}
