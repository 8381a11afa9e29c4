import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ADDRESS, BROWSER, DETAILS, LINE } from '#test/http/payment-details.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { type ApiResponse, aPaymentBody, type Body } from '#test/support/host.ts';
import { act, anIntent, create, eventsOf, faultsIn, pay, read } from '#test/support/payment-steps.ts';

let host: WatchedHost;
beforeAll(async () => {
  host = await startWatchedHost({ demoProviders: ['stripe'] });
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host?.close());

const paths = (answer: ApiResponse): readonly string[] => faultsIn(answer);
const savedToken = { payment_method: { type: 'card', token: { payment_method: 'pm_card_visa', customer: 'cus_1' } } };

describe('the details of a payment', () => {
  it('are accepted on creation, intents, confirmation and retry', async () => {
    expect((await create(host, aPaymentBody('ok', DETAILS))).status).toBe(201);
    const intent = await anIntent(host, 'ok', DETAILS);
    expect((await act(host, intent.id, 'confirm', DETAILS)).body).toMatchObject({ status: 'succeeded' });
    const failed = await pay(host, 'decline_insufficient_funds', DETAILS);
    const retried = await act(host, failed.id, 'retry', { ...DETAILS, payment_method: { type: 'card', token: 'ok' } });
    expect(retried.body).toMatchObject({ status: 'succeeded' });
  });

  it('are in no response', async () => {
    const paid = await pay(host, 'ok', DETAILS);
    const shown = Object.keys(DETAILS).filter((name) => Object.hasOwn(paid, name));
    expect([shown, JSON.stringify(await read(host, paid.id)).includes('Canaryallee')]).toEqual([[], false]);
  });

  it.each<[string, Body, string]>([
    ['an unknown field', { billing: { firstname: 'Kim' } }, 'billing.firstname'],
    ['a field of another place', { billing: { line1: 'Street 1' } }, 'billing.line1'],
    ['a number as a name', { billing: { name: 4 } }, 'billing.name'],
    ['a blank name', { billing: { name: ' ' } }, 'billing.name'],
    ['a name of two lines', { billing: { name: 'Kim\nDoe' } }, 'billing.name'],
    ['a NUL', { shipping: { address: { city: 'K\u0000ln' } } }, 'shipping.address.city'],
    ['half a character', { shipping: { name: 'Kim \ud83d' } }, 'shipping.name'],
    ['201 characters', { billing: { name: 'ä'.repeat(201) } }, 'billing.name'],
    ['a country by its name', { billing: { address: { country: 'Germany' } } }, 'billing.address.country'],
    ['a phone number without its country', { billing: { phone: '0221 4711' } }, 'billing.phone'],
    ['a card number after a plus', { billing: { phone: '+37 8282 2463 10005' } }, 'billing.phone'],
    ['words as a phone number', { billing: { phone: '+49 call me' } }, 'billing.phone'],
    ['half a browser', { browser: { user_agent: 'Mozilla/5.0' } }, 'browser.accept_header'],
    ['a header of two lines', { browser: { ...BROWSER, user_agent: 'a\r\nb: c' } }, 'browser.user_agent'],
    ['a screen of text', { browser: { ...BROWSER, screen_width: '1440' } }, 'browser.screen_width'],
    ['a negative screen', { browser: { ...BROWSER, screen_width: -1 } }, 'browser.screen_width'],
    ['a time zone in hours', { browser: { ...BROWSER, time_zone_offset: 1_000 } }, 'browser.time_zone_offset'],
    ['a language by its name', { browser: { ...BROWSER, language: 'German language' } }, 'browser.language'],
    ['an origin with a path', { browser: { ...BROWSER, origin: 'https://shop.example/pay' } }, 'browser.origin'],
    ['an origin that is none', { browser: { ...BROWSER, origin: 'javascript:alert(1)' } }, 'browser.origin'],
    ['an accent on a statement', { statement_descriptor: 'Café' }, 'statement_descriptor'],
    ['an asterisk on a statement', { statement_descriptor: 'SHOP*7' }, 'statement_descriptor'],
    ['markup on a statement', { statement_descriptor_suffix: '<b>' }, 'statement_descriptor_suffix'],
    ['a fraction as tax', { order: { tax_amount: 1.5 } }, 'order.tax_amount'],
    ['a negative tax', { order: { tax_amount: -1 } }, 'order.tax_amount'],
    ['no lines', { order: { lines: [] } }, 'order.lines'],
    ['101 lines', { order: { lines: Array(101).fill(LINE) } }, 'order.lines'],
    ['a line of nothing', { order: { lines: [{ ...LINE, quantity: 0 }] } }, 'order.lines.0.quantity'],
    ['a line of another kind', { order: { lines: [{ ...LINE, kind: 'thing' }] } }, 'order.lines.0.kind'],
    ['a line with a script', { order: { lines: [{ ...LINE, url: 'javascript:alert(1)' }] } }, 'order.lines.0.url'],
    ['another wish', { sca: { challenge: 'never' } }, 'sca.challenge'],
    ['another exemption', { sca: { exemption: 'none' } }, 'sca.exemption'],
    ['no reason', { mit: {} }, 'mit.reason'],
    ['another reason', { mit: { reason: 'because' } }, 'mit.reason'],
    [
      'an id with blanks',
      { mit: { reason: 'recurring', network_transaction_id: 'a b' } },
      'mit.network_transaction_id',
    ],
  ])('are refused with %s', async (_, more, path) => {
    const answer = await create(host, aPaymentBody('ok', more));
    expect([answer.status, answer.body.code, paths(answer).includes(path)]).toEqual([400, 'invalid_request', true]);
  });

  it.each<[string, Body, string]>([
    ['lines of another amount', { order: { lines: [LINE] } }, 'order.lines'],
    [
      'a line that is not its quantity by its price',
      { order: { lines: [{ ...LINE, total_amount: 5_000 }] } },
      'order.lines.0.total_amount',
    ],
    [
      'a negative line that is no discount',
      { order: { lines: [LINE, { ...LINE, quantity: 1, unit_amount: -1, total_amount: -1 }] } },
      'order.lines.1.total_amount',
    ],
    [
      'a line with more tax than itself',
      { order: { lines: [{ ...LINE, tax_amount: 4_501 }] } },
      'order.lines.0.tax_amount',
    ],
    [
      'a discount that adds tax',
      {
        order: {
          shipping_amount: 1_000,
          lines: [LINE, { ...LINE, kind: 'discount', unit_amount: -250, total_amount: -500, tax_amount: 80 }],
        },
      },
      'order.lines.1.tax_amount',
    ],
    ['more tax than the payment', { order: { tax_amount: 5_001 } }, 'order.tax_amount'],
    ['more shipping than the payment', { order: { shipping_amount: 5_001 } }, 'order.shipping_amount'],
    [
      'less tax than their lines',
      { order: { tax_amount: 1, shipping_amount: 500, lines: [{ ...LINE, tax_amount: 2 }] } },
      'order.tax_amount',
    ],
    ['a challenge and an exemption', { sca: { challenge: 'required', exemption: 'low_value' } }, 'sca.exemption'],
    ['an absent customer with a browser', { ...savedToken, browser: BROWSER, mit: { reason: 'recurring' } }, 'browser'],
    [
      'an absent customer who is to be challenged',
      { ...savedToken, sca: { challenge: 'required' }, mit: { reason: 'recurring' } },
      'sca.challenge',
    ],
    [
      'an absent customer without a token',
      { payment_method: { type: 'card' }, mit: { reason: 'recurring' } },
      'payment_method.token',
    ],
    [
      'more than 16 kB together',
      { amount: 4_500 * 100, order: { lines: Array(100).fill({ ...LINE, name: 'ä'.repeat(150) }) } },
      'order',
    ],
  ])('are refused with %s, and say where', async (_, more, path) => {
    const answer = await create(host, aPaymentBody('ok', more));
    expect([answer.status, answer.body.code, paths(answer)]).toEqual([400, 'invalid_request', [path]]);
  });

  it.each<[string, Body]>([
    ['lines, shipping and tax that add up', { order: DETAILS.order }],
    [
      'a discount as a line of its own',
      {
        order: {
          lines: [
            { ...LINE, total_amount: 5_500, unit_amount: 2_750 },
            { name: 'Bonus', kind: 'discount', quantity: 1, unit_amount: -500, total_amount: -500 },
          ],
        },
      },
    ],
    [
      'a discount that takes its tax off',
      {
        order: {
          tax_amount: 718,
          lines: [
            { ...LINE, total_amount: 5_500, unit_amount: 2_750, tax_amount: 798 },
            { name: 'Bonus', kind: 'discount', quantity: 1, unit_amount: -500, total_amount: -500, tax_amount: -80 },
          ],
        },
      },
    ],
    ['names of 200 characters that take two units each', { billing: { name: '🦜'.repeat(200) } }],
    ['blanks at the ends', { billing: { name: '  Kim ' }, statement_descriptor: ' TEA ' }],
    ['a phone number as people write it', { billing: { phone: '+49 (0221) 4711/0815' } }],
    ['a statement longer than any provider takes', { statement_descriptor: 'A'.repeat(200) }],
    ['nothing but a country', { billing: { address: { country: 'de' } } }],
    ['an order number alone', { order: { reference: 'R-7' } }],
    ['null where a field is left out', { billing: { name: 'Kim', phone: null, address: null }, order: null }],
  ])('are accepted with %s', async (_, more) => {
    expect((await create(host, aPaymentBody('ok', more))).status).toBe(201);
  });

  it.each<[string, Body]>([
    ['billing.name', { billing: { name: '4242 4242 4242 4242' } }],
    ['shipping.address.line2', { shipping: { address: { ...ADDRESS, line2: '4242424242424242' } } }],
    ['order.lines.0.sku', { order: { lines: [{ ...LINE, sku: 'card 4242424242424242' }] } }],
    ['statement_descriptor', { statement_descriptor: '5555555555554444' }],
    ['mit.network_transaction_id', { mit: { reason: 'recurring', network_transaction_id: '5555555555554444' } }],
    ['browser.user_agent', { browser: { ...BROWSER, user_agent: 'Mozilla 4242-4242-4242-4242' } }],
  ])('are refused with a card number in %s', async (path, more) => {
    const answer = await create(host, aPaymentBody('ok', more));
    expect([answer.status, answer.body.code, paths(answer)]).toEqual([400, 'raw_card_data', [path]]);
    expect(answer.text).not.toMatch(/4242|5555/);
  });

  it.each(['cvc', 'cvv', 'number'])('have no field for a %s', async (name) => {
    const answer = await create(host, aPaymentBody('ok', { billing: { name: 'Kim', [name]: '123' } }));
    expect([answer.status, paths(answer)]).toEqual([400, [`billing.${name}`]]);
  });

  it('leave nothing behind if they are refused', async () => {
    const before = await host.stored();
    await create(host, aPaymentBody('ok', { ...DETAILS, order: { lines: [LINE] } }));
    expect(await host.stored()).toEqual(before);
  });

  it('belong to the request of an idempotency key', async () => {
    const how = { idempotencyKey: 'details-once' };
    const first = await create(host, aPaymentBody('ok', DETAILS), how);
    const again = await create(host, aPaymentBody('ok', DETAILS), how);
    const other = await create(host, aPaymentBody('ok', { ...DETAILS, billing: { name: 'Else' } }), how);
    expect([first.status, again.body.id, other.body.code]).toEqual([201, first.body.id, 'idempotency_key_reused']);
  });

  it('are refused once the provider has the payment', async () => {
    const { id } = await pay(host, 'needs_3ds');
    const answer = await act(host, id, 'confirm', { billing: { name: 'Kim' }, order: { reference: 'R-7' } });
    expect([answer.status, paths(answer)]).toEqual([400, ['billing', 'order']]);
  });
});

describe('what the network says', () => {
  it('is on the attempt of a payment, in lists, and in its event', async () => {
    const paid = await pay(host, 'ok', DETAILS);
    const [attempt] = paid.attempts;
    expect(attempt).toMatchObject({
      network_transaction_id: expect.stringMatching(/^\d{15}$/),
      cvc: 'match',
      card: { brand: 'visa', last4: '4242', funding: 'credit', issuer_country: 'US' },
    });
    expect((await read(host, paid.id)).attempts).toEqual(paid.attempts);
    const { payments } = (await host.call('GET', '/v1/payments?limit=1')).body;
    expect(payments[0].attempts).toEqual(paid.attempts);
    const event = (await eventsOf(host, paid.id)).find(({ type }) => type === 'payment.succeeded');
    const { network_transaction_id, cvc, card } = attempt;
    expect(event?.data.attempt).toMatchObject({ id: attempt.id, network_transaction_id, cvc, card });
  });

  it('of a decline are its codes', async () => {
    const failed = await pay(host, 'decline_insufficient_funds');
    expect(failed.attempts).toMatchObject([{ status: 'failed', network_decline_code: '51' }]);
    const event = (await eventsOf(host, failed.id)).find(({ type }) => type === 'payment.failed');
    expect(event?.data.attempt).toMatchObject({ network_decline_code: '51' });
  });

  it("is not the customer's to see", async () => {
    const { id, client_secret } = await anIntent(host, 'decline_insufficient_funds');
    const confirmed = await host.call('POST', `/v1/payments/${id}/confirm-intent`, { client_secret });
    expect([confirmed.body.status, confirmed.text.includes('network'), confirmed.text.includes('card":')]).toEqual([
      'failed',
      false,
      false,
    ]);
  });
});

describe('a confirmation in the browser', () => {
  const confirm = ({ id, client_secret }: Body, more: Body) =>
    host.call('POST', `/v1/payments/${id}/confirm-intent`, { client_secret, ...more }, { key: host.info.keys.public });

  it('takes what a browser knows', async () => {
    const { billing, shipping, browser } = DETAILS;
    const answer = await confirm(await anIntent(host), { billing, shipping, browser });
    expect(answer.body).toMatchObject({ status: 'succeeded' });
  });

  it.each<[string, Body]>([
    ['statement_descriptor', { statement_descriptor: 'CHEAP' }],
    ['statement_descriptor_suffix', { statement_descriptor_suffix: 'CHEAP' }],
    ['order', { order: { reference: 'mine' } }],
    ['sca', { sca: { exemption: 'low_value' } }],
    ['mit', { mit: { reason: 'recurring' } }],
  ])('refuses %s, which is the shop to say', async (name, more) => {
    const intent = await anIntent(host);
    const answer = await confirm(intent, more);
    expect([answer.status, paths(answer), (await read(host, intent.id)).status]).toEqual([400, [name], 'created']);
  });

  it('is refused for a payment whose customer the shop calls absent', async () => {
    const intent = await anIntent(host, 'ok', { ...savedToken, mit: { reason: 'unscheduled' } });
    const answer = await confirm(intent, {});
    expect([answer.status, answer.body.code]).toEqual([409, 'payment_not_confirmable']);
    expect((await act(host, intent.id, 'confirm')).body.status).toBe('succeeded');
  });
});
