import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mollieDocument } from '#test/contract/mollie-requests.support.ts';
import {
  charge,
  KEY,
  onPage,
  type RecordedResponse,
  startTestbed,
  type Testbed,
} from '#test/contract/mollie-simulator.support.ts';
import { inCi, specsThere } from '#test/contract/openapi-check.ts';

const PAYMENTS = '/v2/payments';
const everything: RecordedResponse[] = [];

let s: Testbed;
beforeEach(async () => {
  s = await startTestbed();
});
afterEach(async () => {
  everything.push(...s.fetched);
  await s.close();
});

const script = (behaviour: string, more: object = {}) =>
  s.simulators.setScenario({ provider: 'mollie', behaviour, ...more });
const complete = (reference: string, outcome: 'succeeded' | 'failed' = 'succeeded') =>
  s.simulators.complete('mollie', reference, outcome);
const create = async (body: object = charge('p')) => (await s.post(PAYMENTS, body)).body;
const statusOf = async (id: string) => (await s.get(`${PAYMENTS}/${id}`)).body.status;
const euros = (value: string) => ({ amount: { currency: 'EUR', value } });

describe('a caller', () => {
  it.each(['', 'sk_test_shop', 'test_invalid_1', 'live_revoked_1', 'access_1'])(
    'with the key %j is rejected',
    async (secret) => {
      const { status, body } = await s.post(PAYMENTS, charge('p'), { secret });
      expect([status, body.title, body.detail]).toEqual([
        401,
        'Unauthorized Request',
        'Missing authentication, or failed to authenticate',
      ]);
      expect(s.simulators.calls({}).calls).toMatchObject([{ operation: 'create', payment_id: 'p', status: 401 }]);
    },
  );

  it('cannot see the payments of another account', async () => {
    const { id } = await create();
    for (const path of [`${PAYMENTS}/${id}`, `${PAYMENTS}/${id}/refunds`])
      expect((await s.get(path, { secret: 'test_other' })).status).toBe(404);
    expect((await s.post(`${PAYMENTS}/${id}/refunds`, euros('1.00'), { secret: 'test_other' })).body.detail).toBe(
      `No entity exists with token '${id}'`,
    );
  });

  it('can read the name of its profile', async () => {
    expect((await s.get('/v2/profiles/me')).body).toMatchObject({
      resource: 'profile',
      mode: 'test',
      name: 'Sock Shop BV',
    });
    expect((await s.get('/v2/profiles/me', { secret: 'live_unknown' })).body).toMatchObject({
      mode: 'live',
      name: 'Demo Shop Ltd',
    });
  });
});

describe('the address of a callback', () => {
  const answerTo = async (webhookUrl: string) => (await s.post(PAYMENTS, charge('p', { webhookUrl }))).body;

  it.each([
    'http://localhost/webhooks',
    'https://LOCALHOST:4001/webhooks',
    'https://shop.localhost/webhooks',
    'http://127.0.0.1:4001/webhooks?payment_id=p',
    'http://127.1/webhooks',
    'http://0.0.0.0/webhooks',
    'http://[::1]:4001/webhooks',
    'http://10.1.2.3/webhooks',
    'http://172.31.0.1/webhooks',
    'http://192.168.178.20/webhooks',
    'http://169.254.169.254/webhooks',
    'http://payfork/webhooks',
    'https://shop.local/webhooks',
  ])('%s is refused, because Mollie cannot reach it', async (webhookUrl) => {
    expect(await answerTo(webhookUrl)).toMatchObject({
      status: 422,
      title: 'Unprocessable Entity',
      detail: "The webhook URL is invalid because it is unreachable from Mollie's point of view",
      field: 'webhookUrl',
    });
    expect(s.money('p')).toBeUndefined();
  });

  it.each(['https://pay.example/webhooks', 'http://172.32.0.1/webhooks', 'https://localhost.example/webhooks'])(
    '%s is accepted',
    async (webhookUrl) => {
      expect(await answerTo(webhookUrl)).toMatchObject({ status: 'paid', webhookUrl });
    },
  );

  it('may be missing, and the customer may return to this machine', async () => {
    const change = { webhookUrl: undefined, redirectUrl: 'http://localhost:3000/back' };
    expect((await s.post(PAYMENTS, charge('p', change))).body).toMatchObject({ status: 'paid', webhookUrl: null });
  });
});

describe('a token that asks for a reason', () => {
  it.each([
    ['failed_possible_fraud', { details: { failureReason: 'possible_fraud' } }],
    ['failed_lost_card', { details: { failureReason: 'card_declined' }, statusReason: { code: 'lost_card' } }],
    ['failed_terminal_busy', { statusReason: { code: 'terminal_busy' } }],
  ])('%s makes a payment that fails for it', async (cardToken, expected) => {
    expect(await create(charge('p', { cardToken }))).toMatchObject({ status: 'failed', ...expected });
  });

  it('failed_MD01 makes a debit that the bank returns', async () => {
    const debit = { sequenceType: 'recurring', method: 'directdebit', customerId: 'cst_1', mandateId: 'failed_MD01' };
    expect(await create(onPage('p', debit))).toMatchObject({ status: 'failed', details: { bankReasonCode: 'MD01' } });
  });
});

const worth = (value: string) => ({ currency: 'EUR', value });
const line = (change: object) => ({
  description: 'Mug',
  quantity: 1,
  unitPrice: worth('20.00'),
  totalAmount: worth('20.00'),
  ...change,
});

describe('a request', () => {
  it.each<[string, object, string]>([
    ['no amount', { amount: undefined }, 'amount'],
    ['cents as a number', { amount: { currency: 'EUR', value: 2000 } }, 'amount.value'],
    ['too few decimals', { amount: { currency: 'EUR', value: '20.0' } }, 'amount.value'],
    ['decimals where there are none', { amount: { currency: 'JPY', value: '20.00' } }, 'amount.value'],
    ['an unknown currency', { amount: { currency: 'NGN', value: '20.00' } }, 'amount.currency'],
    ['nothing to pay', { amount: { currency: 'EUR', value: '0.00' } }, 'amount'],
    ['no description', { description: undefined }, 'description'],
    ['no way back', { redirectUrl: undefined }, 'redirectUrl'],
    ['an invalid redirect URL', { redirectUrl: 'javascript:alert(1)' }, 'redirectUrl'],
    ['an invalid webhook URL', { webhookUrl: 'there' }, 'webhookUrl'],
    ['an unknown method', { method: 'upi' }, 'method'],
    ['an unknown token', { cardToken: 'pm_card_visa' }, 'cardToken'],
    ['a card token for another method', { method: 'ideal' }, 'cardToken'],
    ['too much metadata', { metadata: { text: 'x'.repeat(1_100) } }, 'metadata'],
    ['a field that is not there', { webhook_url: 'https://a.example' }, 'webhook_url'],
    ['a field of another type', { description: 7 }, 'description'],
    ['a recurring charge without a customer', { cardToken: undefined, sequenceType: 'recurring' }, 'customerId'],
    ['a recurring charge of an unknown customer', { cardToken: undefined, customerId: 'x' }, 'customerId'],
    ['a card token off-session', { sequenceType: 'recurring', customerId: 'cst_1' }, 'cardToken'],
    [
      'a method that creates no mandate',
      { cardToken: undefined, method: 'ideal', sequenceType: 'recurring', customerId: 'cst_1' },
      'method',
    ],
    [
      'several methods off-session',
      { cardToken: undefined, method: ['creditcard', 'paypal'], sequenceType: 'recurring', customerId: 'cst_1' },
      'method',
    ],
    [
      'an unknown mandate',
      { cardToken: undefined, sequenceType: 'recurring', customerId: 'cst_1', mandateId: 'x' },
      'mandateId',
    ],
    ['a first payment of nobody', { sequenceType: 'first' }, 'customerId'],
    [
      'a first payment with a method that leaves no mandate',
      { cardToken: undefined, method: 'twint', sequenceType: 'first', customerId: 'cst_1' },
      'method',
    ],
    ['half a postal address', { billingAddress: { city: 'Berlin', country: 'DE' } }, 'billingAddress'],
    [
      'a name of one letter',
      { shippingAddress: { email: 'a@b.example', givenName: 'A' } },
      'shippingAddress.givenName',
    ],
    ['a local phone number', { billingAddress: { email: 'a@b.example', phone: '030 901820' } }, 'billingAddress.phone'],
    [
      'lines that are worth less',
      { lines: [line({ totalAmount: worth('19.99'), unitPrice: worth('19.99') })] },
      'lines',
    ],
    ['a line that does not add up', { lines: [line({ quantity: 2 })] }, 'lines.0.totalAmount'],
    [
      'a tax that its rate does not give',
      { lines: [line({ vatRate: '21.00', vatAmount: worth('4.20') })] },
      'lines.0.vatAmount',
    ],
    ['a callback to this machine', { webhookUrl: 'http://localhost:4001/webhooks/mollie' }, 'webhookUrl'],
  ])('with %s is rejected with the name of the field', async (_, change, field) => {
    const { status, body, headers } = await s.post(PAYMENTS, charge('p', change));
    expect([status, body.status, body.title, body.field]).toEqual([422, 422, 'Unprocessable Entity', field]);
    expect(headers.get('content-type')).toBe('application/hal+json');
    expect(s.money('p')).toBeUndefined();
  });

  it.each([
    ['broken JSON', { raw: '{"amount":' }, 400],
    ['a list', { raw: '[]' }, 400],
    ['a form', { raw: 'amount=1', type: 'application/x-www-form-urlencoded' }, 415],
  ])('of %s is rejected', async (_, options, status) => {
    expect((await s.post(PAYMENTS, undefined, options)).status).toBe(status);
  });

  it('gets a 404 for an unknown path, payment or refund', async () => {
    const { id } = await create();
    for (const path of ['/v2/orders', `${PAYMENTS}/tr_x`, `${PAYMENTS}/${id}/refunds/re_x`])
      expect((await s.get(path)).status).toBe(404);
    expect((await s.get(`${PAYMENTS}/${id}?page=1`)).status).toBe(400);
  });
});

describe('a payment with a token', () => {
  it('is charged at once without a page', async () => {
    const { status, body } = await s.post(PAYMENTS, charge('p'));
    expect([status, body.status, body.amountRemaining, body._links.checkout]).toEqual([
      201,
      'paid',
      { currency: 'EUR', value: '20.00' },
      undefined,
    ]);
    expect(s.money('p')).toEqual({ amount: 2000, refunded: 0, currency: 'EUR', count: 1 });
    expect(await s.webhookTypes()).toEqual([`id=${body.id}`, 'payment.paid']);
  });

  it.each([
    ['decline_insufficient_funds', 'insufficient_funds', 'insufficient_funds'],
    ['decline_card_declined', 'card_declined', undefined],
    ['decline_do_not_honor', 'refused_by_issuer', 'do_not_honor'],
    ['decline_lost_card', 'card_declined', 'lost_card'],
    ['decline_expired_card', 'card_expired', 'expired_card'],
    ['decline_incorrect_cvc', 'invalid_cvv', undefined],
    ['decline_authentication_failed', 'authentication_failed', undefined],
    ['decline_fraud_suspected', 'possible_fraud', 'suspected_fraud'],
  ])('%s fails with %s / %s', async (cardToken, reason, scheme) => {
    const { status, body } = await s.post(PAYMENTS, charge('p', { cardToken }));
    expect([status, body.status, body.details.failureReason, body.statusReason?.code]).toEqual([
      201,
      'failed',
      reason,
      scheme,
    ]);
    expect([s.money('p'), await s.webhookTypes()]).toEqual([undefined, [`id=${body.id}`, 'payment.failed']]);
  });

  it.each([
    ['tkn_1', 'paid'],
    ['pending', 'pending'],
    ['authorized', 'authorized'],
    ['decline_customer_canceled', 'canceled'],
    ['decline_expired', 'expired'],
  ])('%s is %s', async (cardToken, status) => {
    expect((await create(charge('p', { cardToken }))).status).toBe(status);
  });

  it('redirects to the bank if it requires authentication, and back to the shop without parameters', async () => {
    const { id, status, _links } = await create(charge('p', { cardToken: 'needs_3ds' }));
    expect(status).toBe('open');
    expect((await s.browse(_links.checkout.href)).text).toContain('3-D Secure');
    expect(await s.browse(_links.checkout.href, 'authenticate')).toMatchObject({
      status: 303,
      location: 'https://shop.example/back?order=7',
    });
    expect([await statusOf(id), s.money('p')?.count]).toEqual(['paid', 1]);
    const other = await create(charge('q', { cardToken: 'needs_3ds' }));
    await s.browse(other._links.checkout.href, 'fail');
    expect((await s.get(`${PAYMENTS}/${other.id}`)).body).toMatchObject({
      status: 'failed',
      details: { failureReason: 'authentication_failed' },
    });
  });

  const AWAY = { cardToken: undefined, redirectUrl: undefined, sequenceType: 'recurring' };
  it.each<[string, object, object, number | undefined]>([
    [
      'with a mandate for cards',
      { customerId: 'cst_1', mandateId: 'mdt_1' },
      { status: 'paid', customerId: 'cst_1', mandateId: 'mdt_1' },
      1,
    ],
    ['with any mandate', { method: undefined, customerId: 'cst_1' }, { status: 'paid', sequenceType: 'recurring' }, 1],
    [
      'with a mandate for direct debits',
      { method: 'directdebit', customerId: 'cst_1' },
      { status: 'pending' },
      undefined,
    ],
    ['with the test token ok', { customerId: 'cst_1', mandateId: 'ok' }, { status: 'paid' }, 1],
    ['with the test token pending', { customerId: 'cst_1', mandateId: 'pending' }, { status: 'pending' }, undefined],
    [
      'with a test token for a decline',
      { customerId: 'cst_1', mandateId: 'decline_lost_card' },
      { status: 'failed', statusReason: { code: 'lost_card' } },
      undefined,
    ],
    [
      'that the customer revoked at the bank',
      { customerId: 'decline_authorization_revoked' },
      { status: 'failed', statusReason: { code: 'revocation_of_authorization' } },
      undefined,
    ],
    [
      'that requires authentication',
      { customerId: 'needs_3ds' },
      { status: 'failed', details: { failureReason: 'authentication_required' } },
      undefined,
    ],
  ])('of a customer %s is charged off-session', async (_, change, expected, count) => {
    const payment = await create(charge('p', { ...AWAY, ...change }));
    expect(payment).toMatchObject(expected);
    expect([payment._links.checkout, s.money('p')?.count]).toEqual([undefined, count]);
  });

  it('with a revoked mandate is rejected without a field', async () => {
    const { status, body } = await s.post(
      PAYMENTS,
      charge('p', { ...AWAY, customerId: 'cst_1', mandateId: 'mdt_revoked' }),
    );
    expect([status, body.detail, body.field]).toEqual([422, 'No suitable mandates found for customer', undefined]);
  });

  it('of a customer on-session waits for the customer on the page, also for authentication', async () => {
    const { id, status, customerId, _links } = await create(onPage('p', { customerId: 'needs_3ds' }));
    expect([status, customerId]).toEqual(['open', 'cst_simulated']);
    expect(await s.browse(_links.checkout.href, 'pay')).toMatchObject({
      location: 'https://shop.example/back?order=7',
    });
    expect([await statusOf(id), s.money('p')?.count]).toEqual(['paid', 1]);
  });

  it('off-session is executed once for its idempotency key', async () => {
    const make = () => s.post(PAYMENTS, charge('p', { ...AWAY, customerId: 'ok' }), { key: 'att_1' });
    const { id } = (await make()).body;
    expect([(await make()).body.id, s.money('p')?.count]).toEqual([id, 1]);
  });

  it('accepts Apple Pay tokens', async () => {
    const body = { cardToken: undefined, method: 'applepay', redirectUrl: undefined };
    expect(await create(charge('p', { ...body, applePayPaymentToken: '{"paymentData":{}}' }))).toMatchObject({
      status: 'paid',
      method: 'applepay',
    });
    expect((await s.post(PAYMENTS, charge('p', { ...body, applePayPaymentToken: 'x' }))).body.field).toBe(
      'applePayPaymentToken',
    );
  });
});

describe('a payment page', () => {
  it.each([
    ['pay', 'paid', 'https://shop.example/back?order=7'],
    ['decline', 'failed', 'https://shop.example/back?order=7'],
    ['cancel', 'canceled', 'https://shop.example/cart'],
  ])('%s: the payment is %s', async (choice, status, location) => {
    const { id, expiresAt, _links } = await create(
      onPage('p', { method: ['creditcard', 'paypal'], cancelUrl: 'https://shop.example/cart' }),
    );
    expect(expiresAt).toBe('2027-03-01T10:15:00+00:00');
    expect((await s.browse(_links.checkout.href)).text).toContain('Pay 20.00 EUR');
    expect(await s.browse(_links.checkout.href, choice)).toMatchObject({ status: 303, location });
    expect([await statusOf(id), await s.webhookTypes()]).toEqual([status, [`id=${id}`, `payment.${status}`]]);
    expect((await s.browse(_links.checkout.href, 'pay')).text).toContain('This page is closed');
    expect(s.money('p')?.count).toBe(status === 'paid' ? 1 : undefined);
  });

  it('ignores unknown buttons, and is not found for an unknown payment', async () => {
    const { id, _links } = await create(onPage('p'));
    expect((await s.browse(_links.checkout.href, 'dance')).status).toBe(200);
    expect([await statusOf(id), (await s.browse(`${s.simulators.base}/mollie/checkout/tr_x`)).status]).toEqual([
      'open',
      404,
    ]);
  });

  it('expires', async () => {
    const { id } = await create(onPage('p'));
    s.advance(15 * 60_000);
    expect([await s.webhookTypes(), await statusOf(id)]).toEqual([[`id=${id}`, 'payment.expired'], 'expired']);
  });

  it('applies the scenario of its payment', async () => {
    script('requires_action');
    const asked = await create(onPage('p'));
    expect((await s.browse(asked._links.checkout.href, 'pay')).location).toBe(asked._links.checkout.href);
    await s.browse(asked._links.checkout.href, 'authenticate');
    script('decline:lost_card', { webhook: 'none' });
    const declined = await create(onPage('q'));
    await s.browse(declined._links.checkout.href, 'pay');
    expect([await statusOf(asked.id), await statusOf(declined.id)]).toEqual(['paid', 'failed']);
    expect(await s.webhookTypes()).toEqual([`id=${asked.id}`, 'payment.paid']);
  });

  it('can be canceled by the shop only if the method allows it', async () => {
    const card = await create(onPage('p'));
    expect((await s.delete(`${PAYMENTS}/${card.id}`)).body).toMatchObject({
      status: 422,
      detail: 'The payment cannot be cancelled',
    });
    const transfer = await create(onPage('q', { method: 'banktransfer' }));
    expect(transfer.isCancelable).toBe(true);
    expect((await s.delete(`${PAYMENTS}/${transfer.id}`)).body.status).toBe('canceled');
  });
});

describe('an authorized payment', () => {
  const held = () => create(charge('p', { captureMode: 'manual' }));

  it('can be captured in parts, up to the held amount', async () => {
    const { id, status } = await held();
    expect([status, s.money('p')]).toEqual(['authorized', undefined]);
    expect((await s.post(`${PAYMENTS}/${id}/captures`, euros('20.01'))).status).toBe(422);
    expect((await s.post(`${PAYMENTS}/${id}/captures`, euros('5.00'))).body).toMatchObject({
      status: 'succeeded',
      paymentId: id,
    });
    expect(await statusOf(id)).toBe('authorized');
    await s.post(`${PAYMENTS}/${id}/captures`, {});
    expect((await s.get(`${PAYMENTS}/${id}`)).body).toMatchObject({
      status: 'paid',
      amountCaptured: { value: '20.00' },
    });
    expect(s.money('p')?.amount).toBe(2000);
    expect((await s.post(`${PAYMENTS}/${id}/captures`, {})).status).toBe(422);
  });

  it('can be released, and keeps what was captured before', async () => {
    const { id } = await held();
    expect(await s.post(`${PAYMENTS}/${id}/release-authorization`)).toMatchObject({ status: 202, body: '' });
    expect(await statusOf(id)).toBe('canceled');
    expect((await s.post(`${PAYMENTS}/${id}/release-authorization`)).status).toBe(422);
    const other = await held();
    await s.post(`${PAYMENTS}/${other.id}/captures`, euros('5.00'));
    await s.post(`${PAYMENTS}/${other.id}/release-authorization`);
    expect((await s.get(`${PAYMENTS}/${other.id}`)).body).toMatchObject({
      status: 'paid',
      amountCaptured: { value: '5.00' },
      amountRemaining: { value: '5.00' },
    });
  });

  it('stays authorized during a pending capture, until the bank approves', async () => {
    const { id } = await held();
    script('pending', { match: { operation: 'capture' } });
    expect((await s.post(`${PAYMENTS}/${id}/captures`, {})).body.status).toBe('pending');
    expect(await statusOf(id)).toBe('authorized');
    complete(id);
    expect([await statusOf(id), s.money('p')?.count]).toEqual(['paid', 1]);
  });

  const DAYS = 86_400_000;
  const onHold = () => s.simulators.calls({ payment_id: 'p' }).holds?.p;
  const captures = (id: string) => `${PAYMENTS}/${id}/captures`;

  it('lists its captures, shows each, and embeds them, newest first', async () => {
    const { id } = await held();
    const first = await s.post(captures(id), { ...euros('5.00'), metadata: { capture_id: 'cap_1' } });
    script('pending', { match: { operation: 'capture' } });
    const second = await s.post(captures(id), euros('4.00'));
    expect((await s.get(captures(id))).body).toMatchObject({ count: 2, _embedded: { captures: [{}, {}] } });
    expect((await s.get(`${captures(id)}/${first.body.id}`)).body).toEqual(first.body);
    expect((await s.get(`${captures(id)}/cpt_other`)).status).toBe(404);
    const { _embedded } = (await s.get(`${PAYMENTS}/${id}?embed=captures,refunds`)).body;
    expect(_embedded).toMatchObject({
      captures: [
        { id: second.body.id, status: 'pending' },
        { id: first.body.id, metadata: { capture_id: 'cap_1' } },
      ],
      refunds: [],
    });
    expect((await s.post(captures(id), euros('11.01'))).status).toBe(422);
  });

  it('calls back when a pending capture is decided, and keeps the money held when it fails', async () => {
    const { id } = await held();
    script('pending', { match: { operation: 'capture' } });
    const { body } = await s.post(captures(id), euros('5.00'));
    expect((await s.post(`${PAYMENTS}/${id}/release-authorization`)).status).toBe(422);
    const before = (await s.webhookTypes()).length;
    complete(id, 'failed');
    expect((await s.webhookTypes()).slice(before).sort()).toEqual(['capture.failed', `id=${id}`]);
    expect((await s.get(`${captures(id)}/${body.id}`)).body.status).toBe('failed');
    expect([await statusOf(id), onHold()]).toEqual([
      'authorized',
      expect.objectContaining({ captured: 0, released: 0 }),
    ]);
  });

  it('books what is held, captured and released', async () => {
    const { id, captureBefore } = await held();
    expect(Date.parse(captureBefore)).toBe(Date.parse('2027-03-08T10:00:00Z'));
    expect(onHold()).toMatchObject({ authorized: 2000, captured: 0, released: 0 });
    await s.post(captures(id), euros('5.00'));
    await s.post(`${PAYMENTS}/${id}/release-authorization`);
    expect(onHold()).toMatchObject({ authorized: 2000, captured: 500, released: 1500 });
    expect(s.money('p')).toMatchObject({ amount: 500, count: 1 });
  });

  it.each([
    ['expires', [], 'expired', 0],
    ['is paid with what was captured', ['5.00'], 'paid', 500],
  ] as const)('that is held too long %s', async (_, parts, status, captured) => {
    const { id } = await held();
    for (const part of parts) await s.post(captures(id), euros(part));
    s.advance(7 * DAYS);
    await s.webhookTypes();
    expect([await statusOf(id), onHold()]).toEqual([
      status,
      expect.objectContaining({ captured, released: 2000 - captured }),
    ]);
    expect((await s.post(captures(id), {})).status).toBe(422);
  });

  it('may hold half of what was asked for', async () => {
    script('partial_approval');
    expect(await held()).toMatchObject({ status: 'authorized', amount: { value: '10.00' } });
    expect(onHold()?.authorized).toBe(1000);
  });

  it('is captured and released in the dashboard', async () => {
    const { id } = await held();
    expect(s.simulators.captureInDashboard('mollie', 'p', 700)).toBe(201);
    expect(s.simulators.voidInDashboard('mollie', 'p')).toBe(202);
    expect([await statusOf(id), onHold()]).toEqual([
      'paid',
      expect.objectContaining({ captured: 700, released: 1300 }),
    ]);
  });
});

describe('a refund', () => {
  const path = (id: string) => `${PAYMENTS}/${id}/refunds`;

  it('is pending, then refunded, and reduces the remaining amount from the start', async () => {
    const { id } = await create();
    const { status, body } = await s.post(path(id), {
      ...euros('5.00'),
      description: 'Back',
      metadata: { refund_id: 'r1' },
    });
    expect([status, body.status, body.metadata]).toEqual([201, 'pending', { refund_id: 'r1' }]);
    expect((await s.get(`${PAYMENTS}/${id}`)).body).toMatchObject({
      status: 'paid',
      amountRefunded: { value: '5.00' },
      amountRemaining: { value: '15.00' },
    });
    expect(s.money('p')?.refunded).toBe(0);
    s.advance(1_000);
    await s.webhookTypes();
    expect((await s.get(`${path(id)}/${body.id}`)).body.status).toBe('refunded');
    expect(s.money('p')?.refunded).toBe(500);
    expect(await s.webhookTypes()).toEqual([
      `id=${id}`,
      'payment.paid',
      `id=${id}`,
      'refund.pending',
      `id=${id}`,
      'refund.refunded',
    ]);
  });

  it('cannot exceed the remaining amount', async () => {
    const { id } = await create();
    await s.post(path(id), euros('15.00'));
    expect((await s.post(path(id), euros('5.01'))).body).toMatchObject({ status: 422, field: 'amount' });
    expect((await s.post(path(id), { amount: { currency: 'USD', value: '1.00' } })).body.field).toBe('amount.currency');
    expect((await s.post(path((await create(onPage('q'))).id), euros('1.00'))).status).toBe(422);
  });

  it('that equals a recent one is rejected as a duplicate', async () => {
    const { id } = await create();
    await s.post(path(id), { ...euros('5.00'), metadata: { refund_id: 'r1' } });
    expect((await s.post(path(id), { ...euros('5.00'), metadata: { refund_id: 'r1' } })).body).toMatchObject({
      status: 409,
      detail: 'A duplicate refund has been detected',
    });
    expect((await s.post(path(id), { ...euros('5.00'), metadata: { refund_id: 'r2' } })).status).toBe(201);
    s.advance(60_000);
    expect((await s.post(path(id), { ...euros('5.00'), metadata: { refund_id: 'r1' } })).status).toBe(201);
  });

  it.each([
    ['approve', 'refunded', 500],
    ['pending', 'pending', 0],
    ['decline:card_declined', 'failed', 0],
  ])('under %s is %s', async (behaviour, status, refunded) => {
    const { id } = await create();
    script(behaviour, { match: { operation: 'refund' } });
    const { body } = await s.post(path(id), euros('5.00'));
    s.advance(86_400_000);
    await s.webhookTypes();
    expect((await s.get(`${path(id)}/${body.id}`)).body.status).toBe(status);
    expect(s.money('p')?.refunded).toBe(refunded);
  });

  it('that stays pending can be completed, and one that completed can still fail', async () => {
    const { id } = await create();
    script('pending', { match: { operation: 'refund' } });
    const { body } = await s.post(path(id), euros('5.00'));
    complete(body.id);
    expect(s.money('p')?.refunded).toBe(500);
    complete(body.id, 'failed');
    expect([s.money('p')?.refunded, (await s.get(`${path(id)}/${body.id}`)).body.status]).toEqual([0, 'failed']);
    expect((await s.get(`${PAYMENTS}/${id}`)).body.amountRemaining.value).toBe('20.00');
  });

  it('is listed newest first and in pages', async () => {
    const { id } = await create();
    for (const value of ['1.00', '2.00', '3.00']) await s.post(path(id), euros(value));
    const first = (await s.get(`${path(id)}?limit=2`)).body;
    expect([
      first.count,
      first._embedded.refunds.map(({ amount }: { amount: { value: string } }) => amount.value),
    ]).toEqual([2, ['3.00', '2.00']]);
    const rest = (await s.get(`${path(id)}${new URL(first._links.next.href).search}`)).body;
    expect([rest.count, rest._embedded.refunds[0].amount.value, rest._links.next]).toEqual([1, '1.00', null]);
    for (const query of ['limit=0', 'limit=251', 'limit=x', 'from=re_x'])
      expect((await s.get(`${path(id)}?${query}`)).status).toBe(400);
  });

  it('can be canceled while it is pending, and then reads as missing', async () => {
    const { id } = await create();
    const { body } = await s.post(path(id), euros('5.00'));
    expect((await s.delete(`${path(id)}/${body.id}`)).status).toBe(204);
    expect((await s.get(`${path(id)}/${body.id}`)).status).toBe(404);
  });
});

describe('an idempotency key', () => {
  it('replays the first response for one hour', async () => {
    const first = await s.post(PAYMENTS, charge('p'), { key: 'k' });
    expect((await s.post(PAYMENTS, charge('p'), { key: 'k' })).body).toEqual(first.body);
    expect((await s.post(`${PAYMENTS}/${first.body.id}/refunds`, euros('1.00'), { key: 'k' })).status).toBe(409);
    s.advance(3_600_000);
    expect((await s.post(PAYMENTS, charge('p'), { key: 'k' })).body.id).not.toBe(first.body.id);
    expect(s.money('p')?.count).toBe(2);
  });

  it('is not used up by a rejected request or a server error', async () => {
    await s.post(PAYMENTS, charge('p', { method: 'upi' }), { key: 'k' });
    script('http_500');
    expect((await s.post(PAYMENTS, charge('p'), { key: 'k' })).status).toBe(500);
    expect((await s.post(PAYMENTS, charge('p'), { key: 'k' })).body.status).toBe('paid');
    expect(s.money('p')?.count).toBe(1);
  });

  it('returns the result of a call that got no response', async () => {
    script('timeout_after_charge');
    await expect(s.post(PAYMENTS, charge('p'), { key: 'k', signal: AbortSignal.timeout(300) })).rejects.toThrow();
    expect((await s.post(PAYMENTS, charge('p'), { key: 'k' })).body.status).toBe('paid');
    script('timeout_before_charge');
    await expect(s.post(PAYMENTS, charge('q'), { key: 'l', signal: AbortSignal.timeout(300) })).rejects.toThrow();
    expect(s.money('q')).toBeUndefined();
    await s.post(PAYMENTS, charge('q'), { key: 'l' });
    expect([s.money('p')?.count, s.money('q')?.count]).toEqual([1, 1]);
  });
});

describe('a scenario', () => {
  it.each([
    ['approve', 'decline_lost_card', 'paid'],
    ['decline:insufficient_funds', 'ok', 'failed'],
    ['requires_action', 'ok', 'open'],
    ['pending', 'ok', 'pending'],
  ])('%s overrides the token', async (behaviour, cardToken, status) => {
    script(behaviour);
    expect((await create(charge('p', { cardToken }))).status).toBe(status);
    expect((await create(charge('p'))).status).toBe('paid');
  });

  it('wrong_amount takes and reports another amount', async () => {
    script('wrong_amount');
    expect((await create()).amount).toEqual({ currency: 'EUR', value: '20.01' });
    script('wrong_amount');
    expect((await create(onPage('q', { amount: { currency: 'JPY', value: '500' } }))).amount.value).toBe('500');
    complete('q');
    expect([s.money('p')?.amount, s.money('q')]).toEqual([
      2001,
      { amount: 501, refunded: 0, currency: 'JPY', count: 1 },
    ]);
  });

  it('rate_limited, garbage and slow behave as they are named', async () => {
    script('rate_limited');
    const limited = await s.post(PAYMENTS, charge('p'));
    expect([limited.status, limited.headers.get('retry-after'), limited.body.title]).toEqual([
      429,
      '2',
      'Too Many Requests',
    ]);
    script('slow:50');
    expect((await create(charge('p'))).status).toBe('paid');
    script('garbage', { match: { operation: 'fetch' } });
    expect((await s.get(`${PAYMENTS}/tr_x`)).body).toBe('<html>');
    expect(s.operations('p')).toEqual(['create', 'create']);
  });
});

describe('a completion', () => {
  it.each([
    ['open', onPage('p'), 'succeeded', 'paid'],
    ['open', onPage('p'), 'failed', 'failed'],
    ['pending', charge('p', { cardToken: 'pending' }), 'succeeded', 'paid'],
    ['pending', charge('p', { cardToken: 'pending' }), 'failed', 'failed'],
    ['failed', charge('p', { cardToken: 'decline_lost_card' }), 'succeeded', 'paid'],
    ['canceled', charge('p', { cardToken: 'decline_customer_canceled' }), 'succeeded', 'paid'],
    ['paid', charge('p'), 'failed', 'paid'],
    ['authorized', charge('p', { cardToken: 'authorized' }), 'failed', 'canceled'],
  ] as const)('to an %s payment: %o %s makes it %s', async (before, body, outcome, after) => {
    const { id, status } = await create(body);
    expect([status, complete(id, outcome), await statusOf(id)]).toEqual([before, true, after]);
    expect(s.money('p')?.count).toBe(after === 'paid' ? 1 : undefined);
  });

  it('finds the waiting attempt by our payment id too', async () => {
    const declined = await create(charge('p', { cardToken: 'decline_lost_card' }));
    const waiting = await create(onPage('p'));
    expect([complete('p'), await statusOf(declined.id), await statusOf(waiting.id)]).toEqual([true, 'failed', 'paid']);
    expect(complete('nothing')).toBe(false);
  });
});

describe('callbacks', () => {
  it('are signed if they are events, and unsigned if they are classic', async () => {
    const { id } = await create();
    await s.webhookTypes();
    const [classic, event] = s.webhooks;
    expect([classic?.raw, classic?.signature]).toEqual([`id=${id}`, undefined]);
    expect(s.isSigned(event!)).toBe(true);
    expect(JSON.parse(event!.raw)).toMatchObject({
      resource: 'event',
      type: 'payment.paid',
      entityId: id,
      _embedded: { entity: { id, metadata: { payment_id: 'p' } } },
    });
  });

  it('come without events if the account has no secret', async () => {
    await using_(await startTestbed({ secret: null }), async (other) => {
      const { body } = await other.post(PAYMENTS, charge('p'));
      expect(await other.webhookTypes()).toEqual([`id=${body.id}`]);
    });
  });

  it('come only as events if the payment has no webhook URL', async () => {
    await create(charge('p', { webhookUrl: undefined }));
    expect(await s.webhookTypes()).toEqual(['payment.paid']);
  });
});

async function using_(other: Testbed, act: (other: Testbed) => Promise<void>): Promise<void> {
  try {
    await act(other);
  } finally {
    await other.close();
  }
}

describe.runIf(specsThere || inCi)('the official OpenAPI document', () => {
  afterAll(() => {
    console.info(`mollie: ${everything.length} answers of the simulator checked against the official OpenAPI document`);
  });

  /** HTTP statuses that Mollie documents on another page than the OpenAPI document. */
  const ELSEWHERE = new Set([400, 401, 403, 409, 415, 500]);

  /** The document has the parameter `embed`, and not what it adds to a payment. */
  const withoutEmbedded = (path: string, body: object): object => {
    const { _embedded, ...rest } = { _embedded: undefined, ...body };
    return /\/payments\/tr_\w+$/.test(path) ? rest : body;
  };

  it('contains all responses', () => {
    const { answerFaults } = mollieDocument();
    expect(everything.length).toBeGreaterThan(100);
    const documented = everything.filter(
      ({ status, body, path }) => !ELSEWHERE.has(status) && body !== '<html>' && path !== '/v2/orders',
    );
    expect(
      documented.flatMap(({ method, path, status, body }) =>
        answerFaults(method, path, status, withoutEmbedded(path, body)),
      ),
    ).toEqual([]);
  });

  it('reports a deviation', () => {
    expect(mollieDocument().answerFaults('GET', '/v2/profiles/me', 200, { resource: 'profile', key: KEY })).not.toEqual(
      [],
    );
  });
});
