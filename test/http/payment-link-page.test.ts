import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { walkThrough } from '#test/providers/browser.ts';
import { aConnection, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { aLink, aVisitor, fieldsOf, readLink, type Visited, type Visitor, wayOn } from '#test/support/link-visitor.ts';
import { advance, arrange, callsAbout, drain, moneyOf, read } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const start = async (visitor: Visitor, url: string, fill = {}): Promise<Visited> =>
  visitor.press(await visitor.open(url), 'start', fill);
const paymentOf = async (link: Body): Promise<Body> => (await paymentsOf(link))[0];
const paymentsOf = async (link: Body): Promise<Body[]> =>
  (await host.call('GET', '/v1/payments?limit=200')).body.payments.filter((p: Body) => p.payment_link_id === link.id);

/** Presses a button on the provider's page; answers where the customer is sent. */
async function choose(url: string, choice: string): Promise<string> {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams({ do: choice }), redirect: 'manual' });
  return reply.headers.get('location') ?? '';
}

/** The form to start with, as if another button had been pressed on it. */
const withButton = ({ html }: Visited, button: string, fill = {}): URLSearchParams =>
  fieldsOf(html, 'start', { ...fill, do: button });

const kindOf = ({ html }: Visited): string => /data-view="([a-z-]+)"/.exec(html)?.[1] ?? '';

describe('the page of a payment link', () => {
  it('takes the customer to the provider and back, and says that it is paid', async () => {
    const link = await aLink(host, { description: 'Chair', metadata: { order: 'A-1' } });
    const visitor = aVisitor(host);
    const page = await visitor.open(link.url);
    expect([page.status, kindOf(page), page.headers.get('content-type')]).toEqual([
      200,
      'form',
      'text/html; charset=utf-8',
    ]);
    const going = await visitor.press(page, 'start');
    const back = await choose(wayOn(going), 'pay');
    expect([kindOf(going), kindOf(await visitor.open(back))]).toEqual(['action', 'succeeded']);
    await drain(host);
    const payment = await paymentOf(link);
    expect(payment).toMatchObject({
      status: 'succeeded',
      description: 'Chair',
      metadata: { order: 'A-1' },
      customer_ip: '127.0.0.1',
      method: 'card',
    });
    expect(await readLink(host, link.id)).toMatchObject({ status: 'completed', payments_made: 1 });
    expect(kindOf(await aVisitor(host).open(link.url))).toBe('closed-paid');
  });

  it('gives every payment what callbacks are routed by, and the provider none of the metadata', async () => {
    const link = await aLink(host, { metadata: { secret_plan: 'x1y2z3' } });
    await start(aVisitor(host), link.url);
    const { id } = await paymentOf(link);
    expect((await callsAbout(host, id)).length).toBeGreaterThan(0);
    expect(JSON.stringify(await host.control('GET', '/psp/calls'))).not.toContain('x1y2z3');
  });

  it('offers another try after a decline, which is another payment', async () => {
    const link = await aLink(host);
    const visitor = aVisitor(host);
    const going = await start(visitor, link.url);
    await host.control('POST', '/psp/complete', {
      provider: 'stripe',
      reference: (await paymentOf(link)).id,
      outcome: 'failed',
    });
    await drain(host);
    const failed = await visitor.open(going.url);
    expect(kindOf(failed)).toBe('form');
    const again = await visitor.press(failed, 'start');
    await visitor.open(await choose(wayOn(again), 'pay'));
    await drain(host);
    expect((await paymentsOf(link)).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    expect((await readLink(host, link.id)).payments_made).toBe(1);
  });

  it('says that it cannot be paid, and why, where no provider takes it', async () => {
    const link = await aLink(host, { methods: ['mobile_money'] });
    const page = await start(aVisitor(host), link.url);
    expect(kindOf(page)).toBe('form');
    expect((await paymentOf(link)).failure.code).toBe('no_route');
    expect((await readLink(host, link.id)).status).toBe('active');
  });

  it('goes on with the payment that this browser has begun, and shows others that it is being paid', async () => {
    const link = await aLink(host);
    const [payer, other] = [aVisitor(host), aVisitor(host)];
    const going = await start(payer, link.url);
    expect([kindOf(await payer.open(link.url)), kindOf(await other.open(link.url))]).toEqual(['action', 'closed-busy']);
    expect(wayOn(await payer.open(link.url))).toBe(wayOn(going));
    expect((await paymentsOf(link)).length).toBe(1);
  });

  it('lets the customer turn back and pay in another way', async () => {
    const link = await aLink(host);
    const visitor = aVisitor(host);
    const going = await start(visitor, link.url);
    const canceled = await visitor.press(going, 'cancel');
    expect(kindOf(canceled)).toBe('form');
    expect((await paymentOf(link)).status).toBe('canceled');
    await visitor.open(await choose(wayOn(await visitor.press(canceled, 'start')), 'pay'));
    await drain(host);
    expect((await readLink(host, link.id)).payments_made).toBe(1);
  });

  it('shows how the payment stands when it cannot be turned back any more', async () => {
    const link = await aLink(host);
    const visitor = aVisitor(host);
    const going = await start(visitor, link.url);
    await arrange(host, 'approve', { webhook: 'none' });
    await choose(wayOn(going), 'pay');
    expect(kindOf(await visitor.press(going, 'cancel'))).toBe('succeeded');
    expect((await moneyOf(host, (await paymentOf(link)).id)).refunded).toBe(0);
  });

  it('waits for a provider that has not decided', async () => {
    const link = await aLink(host);
    const visitor = aVisitor(host);
    await arrange(host, 'garbage');
    const page = await start(visitor, link.url);
    expect(kindOf(page)).toBe('processing');
    await advance(host, '11s');
    expect(kindOf(await visitor.open(page.url))).toBe('action');
  });

  it('ends an abandoned payment at the provider after half an hour, and lets others pay', async () => {
    const link = await aLink(host);
    const going = await start(aVisitor(host), link.url);
    await advance(host, '29m');
    expect(kindOf(await aVisitor(host).open(link.url))).toBe('closed-busy');
    await advance(host, '2m');
    expect((await paymentOf(link)).failure.code).toBe('expired');
    expect((await fetch(wayOn(going))).status === 200 ? await (await fetch(wayOn(going))).text() : '').toContain(
      'closed',
    );
    await aVisitor(host).open(await choose(wayOn(await start(aVisitor(host), link.url)), 'pay'));
    await drain(host);
    expect((await readLink(host, link.id)).payments_made).toBe(1);
  });

  it('takes as many payments as the link says, also of one browser', async () => {
    const link = await aLink(host, { max_payments: 2 });
    const visitor = aVisitor(host);
    for (let n = 1; n <= 2; n += 1) {
      await visitor.open(await choose(wayOn(await start(visitor, link.url)), 'pay'));
      await drain(host);
      expect((await readLink(host, link.id)).payments_made).toBe(n);
    }
    expect(kindOf(await visitor.open(link.url))).toBe('closed-completed');
  });

  it('takes none after its end, though who has begun may finish', async () => {
    const { now } = (await host.control('GET', '/clock')).body;
    const link = await aLink(host, {
      expires_at: new Date(Date.parse(now) + 10 * 60_000).toISOString(),
      max_payments: 2,
    });
    const visitor = aVisitor(host);
    const late = await aVisitor(host).open(link.url);
    const going = await start(visitor, link.url);
    await advance(host, '11m');
    expect(kindOf(await aVisitor(host).open(link.url))).toBe('closed-expired');
    expect((await aVisitor(host).send(late.url, fieldsOf(late.html, 'start'))).status).toBe(403);
    expect(kindOf(await visitor.open(await choose(wayOn(going), 'pay')))).toBe('succeeded');
    await drain(host);
    expect(await readLink(host, link.id)).toMatchObject({ status: 'expired', payments_made: 1 });
  });

  it('takes none once it was deactivated', async () => {
    const link = await aLink(host);
    const visitor = aVisitor(host);
    const page = await visitor.open(link.url);
    await host.call('POST', `/v1/payment-links/${link.id}/deactivate`);
    const late = await visitor.press(page, 'start');
    expect([late.status, kindOf(late), (await paymentsOf(link)).length]).toEqual([409, 'closed-inactive', 0]);
  });

  it('answers a page to addresses of no link', async () => {
    for (const id of ['plink_01jqeh2s00e8x9v3k5t7w2m4np', 'nonsense', '%00', 'pay_01jqeh2s00e8x9v3k5t7w2m4np']) {
      const page = await aVisitor(host).open(`${host.info.api}/pay/${id}`);
      expect([page.status, page.headers.get('content-type')], id).toEqual([404, 'text/html; charset=utf-8']);
    }
  });
});

describe('the form of a payment link', () => {
  const trouble = async (
    headers: Readonly<Record<string, string>>,
    change: (fields: URLSearchParams) => void = () => undefined,
  ) => {
    const link = await aLink(host);
    const visitor = aVisitor(host);
    const page = await visitor.open(link.url);
    const fields = fieldsOf(page.html, 'start');
    change(fields);
    const { status } = await visitor.send(page.url, fields, headers);
    return [status, (await paymentsOf(link)).length];
  };

  it.each<[string, Readonly<Record<string, string>>]>([
    ['another site', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['another site, as browsers tell', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour of the same site', { 'sec-fetch-site': 'same-site' }],
    ['a browser that keeps no cookies', { cookie: '' }],
    ['another browser', { cookie: 'pay_browser=AAAAAAAAAAAAAAAAAAAAAA' }],
  ])('is not taken from %s', async (_, headers) => expect(await trouble(headers)).toEqual([403, 0]));

  it.each<[string, (fields: URLSearchParams) => void]>([
    ['without its token', (fields) => fields.delete('csrf')],
    ['with a token that was changed', (fields) => fields.set('csrf', `${fields.get('csrf')?.slice(0, -2)}AA`)],
    ['for something that there is not', (fields) => fields.set('do', 'refund')],
    ['for something that objects have', (fields) => fields.set('do', 'constructor')],
  ])('is not taken %s', async (_, change) => expect(await trouble({}, change)).toEqual([403, 0]));

  it('of another link is not taken', async () => {
    const [link, other] = [await aLink(host), await aLink(host)];
    const visitor = aVisitor(host);
    const page = await visitor.open(other.url);
    expect((await visitor.send(link.url, fieldsOf(page.html, 'start'))).status).toBe(403);
  });

  it.each(['email', 'otp'])('with a card number as its %s is not taken, and not shown again', async (name) => {
    const link = await aLink(host);
    const visitor = aVisitor(host);
    const page = await visitor.open(link.url);
    const answer = await visitor.send(page.url, fieldsOf(page.html, 'start', { [name]: '4242 4242 4242 4242' }));
    expect([answer.status, answer.html.includes('4242'), (await paymentsOf(link)).length]).toEqual([400, false, 0]);
  });

  it('refuses what is no method of the link, and what is no country or address', async () => {
    const link = await aLink(host, { methods: ['card', 'ideal'] });
    const wrong: Readonly<Record<string, string>>[] = [{ method: 'paypal' }, { country: 'XX' }, { email: 'nobody' }];
    for (const fill of wrong) {
      const visitor = aVisitor(host);
      const page = await visitor.press(await visitor.open(link.url), 'start', fill);
      expect([page.status, kindOf(page)], JSON.stringify(fill)).toEqual([400, 'form']);
    }
    expect((await paymentsOf(link)).length).toBe(0);
  });

  it('lets an address start ten payments in ten minutes', async () => {
    const limited = await startHost({ rateLimits: true });
    try {
      const link = await aLink(limited, { max_payments: 50 });
      const answers: number[] = [];
      for (let n = 0; n < 11; n += 1) answers.push((await start(aVisitor(limited), link.url)).status);
      expect(answers).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
      await limited.control('POST', '/clock', { advance: '10m' });
      expect((await start(aVisitor(limited), link.url)).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

describe('a payment of a link', () => {
  it('is shown to nobody who only knows its id, nor under another link', async () => {
    const [link, other] = [await aLink(host, { max_payments: 2 }), await aLink(host)];
    const going = await start(aVisitor(host), link.url);
    const { id } = await paymentOf(link);
    expect(kindOf(await aVisitor(host).open(`${link.url}?payment=${id}&t=guess`))).toBe('form');
    expect(kindOf(await aVisitor(host).open(going.url.replace(link.id, other.id)))).toBe('form');
  });

  it('that somebody has to look at is not ended by its customer', async () => {
    const link = await aLink(host);
    const visitor = aVisitor(host);
    const page = await visitor.open(link.url);
    await arrange(host, 'wrong_amount');
    const going = await visitor.press(page, 'start');
    await visitor.open(await choose(wayOn(going), 'pay'));
    await drain(host);
    const review = { status: 'processing', review: { reason: 'amount_mismatch' } };
    expect(await paymentOf(link)).toMatchObject(review);
    await visitor.send(page.url, withButton(page, 'cancel'));
    expect(await paymentOf(link)).toMatchObject(review);
  });

  it('tells its provider nothing that the customer was not asked for', async () => {
    const link = await aLink(host);
    const visitor = aVisitor(host);
    const page = await visitor.open(link.url);
    await visitor.press(page, 'start');
    const { id } = await paymentOf(link);
    const before = await callsAbout(host, id);
    expect((await visitor.send(page.url, withButton(page, 'continue', { details: 'anything' }))).status).toBe(303);
    expect(await callsAbout(host, id)).toEqual(before);
  });

  it('asks for the country and the mail address where they decide who takes it', async () => {
    const own = await anOrganization(host);
    await aConnection(host, own, { provider: 'paystack' });
    const link = await aLink(host, { currency: 'NGN', amount: 500_000 }, own.key);
    const visitor = aVisitor(host);
    const bare = await start(visitor, link.url);
    expect([bare.status, kindOf(bare)]).toEqual([400, 'form']);
    const page = await visitor.press(bare, 'start', { country: 'NG', email: 'ada@example.com' });
    expect(kindOf(page)).toBe('action');
    const { payments } = (await host.call('GET', '/v1/payments', undefined, { key: own.key })).body;
    expect(payments).toMatchObject([
      { country: 'NG', customer_email: 'ada@example.com', status: 'requires_action', provider: 'paystack' },
    ]);
  });

  it('comes back from every provider to the page of the link', async () => {
    const all = await startHost({
      demoProviders: ['adyen', 'paypal', 'checkout', 'mollie', 'paystack', 'flutterwave', 'razorpay'],
    });
    try {
      for (const provider of Object.keys(all.info.connections)) {
        for (const [other, id] of Object.entries(all.info.connections)) {
          await all.call('POST', '/v1/connections', {
            id,
            provider: other,
            status: other === provider ? 'active' : 'inactive',
          });
        }
        const currency = { razorpay: 'INR', paystack: 'NGN', flutterwave: 'NGN' }[provider] ?? 'EUR';
        const link = await aLink(all, {
          currency,
          amount: 500_000,
          methods: [provider === 'paypal' ? 'wallet' : 'card'],
        });
        const visitor = aVisitor(all);
        const country = { razorpay: 'IN', paystack: 'NG', flutterwave: 'NG' }[provider] ?? 'DE';
        const going = await start(visitor, link.url, { country, email: 'ada@example.com' });
        expect(kindOf(going), provider).toBe('action');
        await walkThrough({ url: wayOn(going), method: 'GET' }).catch(() => '');
        await all.control('POST', '/drain');
        expect(kindOf(await visitor.open(going.url)), provider).toBe('succeeded');
        expect((await readLink(all, link.id)).status, provider).toBe('completed');
      }
    } finally {
      await all.close();
    }
  }, 60_000);
});

it('is an expired payment like any other where the merchant looks', async () => {
  const link = await aLink(host);
  await start(aVisitor(host), link.url);
  const { id } = await paymentOf(link);
  await advance(host, '31m');
  expect(await read(host, id)).toMatchObject({
    status: 'failed',
    failure: { code: 'expired', category: 'expired' },
    payment_link_id: link.id,
  });
});

it('gives the customer of a payment that is retried late the time that others have', async () => {
  const link = await aLink(host);
  await start(aVisitor(host), link.url);
  const { id } = await paymentOf(link);
  await host.control('POST', '/psp/complete', { provider: 'stripe', reference: id, outcome: 'failed' });
  await drain(host);
  await advance(host, '40m');
  const retried = await host.call('POST', `/v1/payments/${id}/retry`);
  expect(retried).toMatchObject({ status: 200, body: { status: 'requires_action' } });
  await advance(host, '2m');
  expect((await read(host, id)).status).toBe('requires_action');
});
