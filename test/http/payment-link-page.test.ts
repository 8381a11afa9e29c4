import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { walkThrough } from '#test/providers/browser.ts';
import {
  aGuest,
  aLink,
  fieldsOf,
  type GuestBrowser,
  type GuestPage,
  getLink,
  providerUrl,
} from '#test/support/guest-browser.ts';
import { aConnection, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, arrange, callsAbout, drain, moneyOf, read } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const start = async (visitor: GuestBrowser, url: string, fill = {}): Promise<GuestPage> =>
  visitor.submit(await visitor.open(url), 'start', fill);
const paymentOf = async (link: Body): Promise<Body> => (await paymentsOf(link))[0];
const paymentsOf = async (link: Body): Promise<Body[]> =>
  (await host.call('GET', '/v1/payments?limit=200')).body.payments.filter((p: Body) => p.payment_link_id === link.id);

/** Presses a button on the provider's page, and returns the URL that the customer is redirected to. */
async function choose(url: string, choice: string): Promise<string> {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams({ do: choice }), redirect: 'manual' });
  return reply.headers.get('location') ?? '';
}

/** The text with another end, also if it ends in AA already. */
const changedEnd = (text: string): string => `${text.slice(0, -2)}${text.endsWith('AA') ? 'QA' : 'AA'}`;

/** The fields of the start form, submitted with another button. */
const fieldsWithButton = ({ html }: GuestPage, button: string, fill = {}): URLSearchParams =>
  fieldsOf(html, 'start', { ...fill, do: button });

const kindOf = ({ html }: GuestPage): string => /data-view="([a-z-]+)"/.exec(html)?.[1] ?? '';

describe('the page of a payment link', () => {
  it.each([
    ['a dot at its end', (url: string) => `${url}.`],
    ['a bracket and a comma', (url: string) => `${url}),`],
    ['a blank', (url: string) => `${url}%20`],
    ['an invisible character', (url: string) => `${url}%E2%80%8B`],
    ['quotes around it', (url: string) => `${url.replace('plink', '%22plink')}%22`],
    ['capitals', (url: string) => url.replace(/plink.*/, (id) => id.toUpperCase())],
  ])('is found at a URL that was copied with %s', async (_, copied) => {
    const link = await aLink(host);
    const visitor = aGuest(host);
    const { headers, status } = await visitor.send(`${copied(link.url)}?a=1`, undefined);
    expect([status, headers.get('location')]).toEqual([303, `${link.url}?a=1`]);
    const page = await visitor.open(copied(link.url));
    expect([kindOf(page), kindOf(await visitor.submit(page, 'start'))]).toEqual(['form', 'action']);
  });

  it('is not found at a URL with a letter too many or too few', async () => {
    const { url } = await aLink(host);
    const pages = await Promise.all([`${url}a`, url.slice(0, -1)].map((each) => aGuest(host).open(each)));
    expect(pages.map(({ status }) => status)).toEqual([404, 404]);
  });

  it('redirects the customer to the provider and back, and shows that it is paid', async () => {
    const link = await aLink(host, { description: 'Chair', metadata: { order: 'A-1' } });
    const visitor = aGuest(host);
    const page = await visitor.open(link.url);
    expect([page.status, kindOf(page), page.headers.get('content-type')]).toEqual([
      200,
      'form',
      'text/html; charset=utf-8',
    ]);
    const going = await visitor.submit(page, 'start');
    const back = await choose(providerUrl(going), 'pay');
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
    expect(await getLink(host, link.id)).toMatchObject({ status: 'completed', payments_made: 1 });
    expect(kindOf(await aGuest(host).open(link.url))).toBe('closed-paid');
  });

  it('sends the provider no metadata of the link', async () => {
    const link = await aLink(host, { metadata: { secret_plan: 'x1y2z3' } });
    await start(aGuest(host), link.url);
    const { id } = await paymentOf(link);
    expect((await callsAbout(host, id)).length).toBeGreaterThan(0);
    expect(JSON.stringify(await host.control('GET', '/psp/calls'))).not.toContain('x1y2z3');
  });

  it('offers another try after a decline, which is a new payment', async () => {
    const link = await aLink(host);
    const visitor = aGuest(host);
    const going = await start(visitor, link.url);
    await host.control('POST', '/psp/complete', {
      provider: 'stripe',
      reference: (await paymentOf(link)).id,
      outcome: 'failed',
    });
    await drain(host);
    const failed = await visitor.open(going.url);
    expect(kindOf(failed)).toBe('form');
    const again = await visitor.submit(failed, 'start');
    await visitor.open(await choose(providerUrl(again), 'pay'));
    await drain(host);
    expect((await paymentsOf(link)).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    expect((await getLink(host, link.id)).payments_made).toBe(1);
  });

  it('shows the form again if no provider takes the payment from that country', async () => {
    const { key } = await anOrganization(host);
    await aConnection(host, { key }, { capabilities: { countries: ['DE'] } });
    const link = await aLink(host, {}, key);
    const page = await start(aGuest(host), link.url, { country: 'FR' });
    expect(kindOf(page)).toBe('form');
    const { payments } = (await host.call('GET', '/v1/payments', undefined, { key })).body;
    expect(payments.map(({ failure }: Body) => failure.code)).toEqual(['no_route']);
    const { body } = await host.call('GET', `/v1/payment-links/${link.id}`, undefined, { key });
    expect(body.status).toBe('active');
  });

  it('resumes the payment of this browser, and is busy for others', async () => {
    const link = await aLink(host);
    const [payer, other] = [aGuest(host), aGuest(host)];
    const going = await start(payer, link.url);
    expect([kindOf(await payer.open(link.url)), kindOf(await other.open(link.url))]).toEqual(['action', 'closed-busy']);
    expect(providerUrl(await payer.open(link.url))).toBe(providerUrl(going));
    expect((await paymentsOf(link)).length).toBe(1);
  });

  it('lets the customer cancel and pay another way', async () => {
    const link = await aLink(host);
    const visitor = aGuest(host);
    const going = await start(visitor, link.url);
    const canceled = await visitor.submit(going, 'cancel');
    expect(kindOf(canceled)).toBe('form');
    expect((await paymentOf(link)).status).toBe('canceled');
    await visitor.open(await choose(providerUrl(await visitor.submit(canceled, 'start')), 'pay'));
    await drain(host);
    expect((await getLink(host, link.id)).payments_made).toBe(1);
  });

  it('shows the status of a payment that can no longer be canceled', async () => {
    const link = await aLink(host);
    const visitor = aGuest(host);
    const going = await start(visitor, link.url);
    await arrange(host, 'approve', { webhook: 'none' });
    await choose(providerUrl(going), 'pay');
    expect(kindOf(await visitor.submit(going, 'cancel'))).toBe('succeeded');
    expect((await moneyOf(host, (await paymentOf(link)).id)).refunded).toBe(0);
  });

  it('waits while the provider has not decided', async () => {
    const link = await aLink(host);
    const visitor = aGuest(host);
    await arrange(host, 'garbage');
    const page = await start(visitor, link.url);
    expect(kindOf(page)).toBe('processing');
    await advance(host, '11s');
    expect(kindOf(await visitor.open(page.url))).toBe('action');
  });

  it('expires an abandoned payment after half an hour, and lets others pay', async () => {
    const link = await aLink(host);
    const going = await start(aGuest(host), link.url);
    await advance(host, '29m');
    expect(kindOf(await aGuest(host).open(link.url))).toBe('closed-busy');
    await advance(host, '2m');
    expect((await paymentOf(link)).failure.code).toBe('expired');
    expect(
      (await fetch(providerUrl(going))).status === 200 ? await (await fetch(providerUrl(going))).text() : '',
    ).toContain('closed');
    await aGuest(host).open(await choose(providerUrl(await start(aGuest(host), link.url)), 'pay'));
    await drain(host);
    expect((await getLink(host, link.id)).payments_made).toBe(1);
  });

  it('takes as many payments as the link allows, even from one browser', async () => {
    const link = await aLink(host, { max_payments: 2 });
    const visitor = aGuest(host);
    for (let n = 1; n <= 2; n += 1) {
      await visitor.open(await choose(providerUrl(await start(visitor, link.url)), 'pay'));
      await drain(host);
      expect((await getLink(host, link.id)).payments_made).toBe(n);
    }
    expect(kindOf(await visitor.open(link.url))).toBe('closed-completed');
  });

  it('takes no new payment after its expiry, but lets started ones finish', async () => {
    const { now } = (await host.control('GET', '/clock')).body;
    const link = await aLink(host, {
      expires_at: new Date(Date.parse(now) + 10 * 60_000).toISOString(),
      max_payments: 2,
    });
    const visitor = aGuest(host);
    const late = await aGuest(host).open(link.url);
    const going = await start(visitor, link.url);
    await advance(host, '11m');
    expect(kindOf(await aGuest(host).open(link.url))).toBe('closed-expired');
    expect((await aGuest(host).send(late.url, fieldsOf(late.html, 'start'))).status).toBe(403);
    expect(kindOf(await visitor.open(await choose(providerUrl(going), 'pay')))).toBe('succeeded');
    await drain(host);
    expect(await getLink(host, link.id)).toMatchObject({ status: 'expired', payments_made: 1 });
  });

  it('takes no payment once it is deactivated', async () => {
    const link = await aLink(host);
    const visitor = aGuest(host);
    const page = await visitor.open(link.url);
    await host.call('POST', `/v1/payment-links/${link.id}/deactivate`);
    const late = await visitor.submit(page, 'start');
    expect([late.status, kindOf(late), (await paymentsOf(link)).length]).toEqual([409, 'closed-inactive', 0]);
  });

  it('shows a 404 page for unknown links', async () => {
    for (const id of ['plink_01jqeh2s00e8x9v3k5t7w2m4np', 'nonsense', '%00', 'pay_01jqeh2s00e8x9v3k5t7w2m4np']) {
      const page = await aGuest(host).open(`${host.info.api}/pay/${id}`);
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
    const visitor = aGuest(host);
    const page = await visitor.open(link.url);
    const fields = fieldsOf(page.html, 'start');
    change(fields);
    const { status } = await visitor.send(page.url, fields, headers);
    return [status, (await paymentsOf(link)).length];
  };

  it.each<[string, Readonly<Record<string, string>>]>([
    ['another site', { origin: 'https://evil.example' }],
    ['a page with a null origin', { origin: 'null' }],
    ['another site, by Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
    ['another origin of the same site', { 'sec-fetch-site': 'same-site' }],
    ['a browser without cookies', { cookie: '' }],
    ['another browser', { cookie: 'pay_browser=AAAAAAAAAAAAAAAAAAAAAA' }],
  ])('is refused from %s', async (_, headers) => expect(await trouble(headers)).toEqual([403, 0]));

  it.each<[string, (fields: URLSearchParams) => void]>([
    ['without its token', (fields) => fields.delete('csrf')],
    ['with a changed token', (fields) => fields.set('csrf', changedEnd(fields.get('csrf') ?? ''))],
    ['for an unknown action', (fields) => fields.set('do', 'refund')],
    ['for the name of an object property', (fields) => fields.set('do', 'constructor')],
  ])('is refused %s', async (_, change) => expect(await trouble({}, change)).toEqual([403, 0]));

  it('is refused with the token of another link', async () => {
    const [link, other] = [await aLink(host), await aLink(host)];
    const visitor = aGuest(host);
    const page = await visitor.open(other.url);
    expect((await visitor.send(link.url, fieldsOf(page.html, 'start'))).status).toBe(403);
  });

  it.each(['email', 'otp'])('is refused with a card number as its %s, and does not show it again', async (name) => {
    const link = await aLink(host);
    const visitor = aGuest(host);
    const page = await visitor.open(link.url);
    const answer = await visitor.send(page.url, fieldsOf(page.html, 'start', { [name]: '4242 4242 4242 4242' }));
    expect([answer.status, answer.html.includes('4242'), (await paymentsOf(link)).length]).toEqual([400, false, 0]);
  });

  it('refuses an invalid method, country or email address', async () => {
    const link = await aLink(host, { methods: ['card', 'ideal'] });
    const wrong: Readonly<Record<string, string>>[] = [{ method: 'paypal' }, { country: 'XX' }, { email: 'nobody' }];
    for (const fill of wrong) {
      const visitor = aGuest(host);
      const page = await visitor.submit(await visitor.open(link.url), 'start', fill);
      expect([page.status, kindOf(page)], JSON.stringify(fill)).toEqual([400, 'form']);
    }
    expect((await paymentsOf(link)).length).toBe(0);
  });

  it('allows an IP address ten starts in ten minutes', async () => {
    const limited = await startHost({ rateLimits: true });
    try {
      const link = await aLink(limited, { max_payments: 50 });
      const answers: number[] = [];
      for (let n = 0; n < 11; n += 1) answers.push((await start(aGuest(limited), link.url)).status);
      expect(answers).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
      await limited.control('POST', '/clock', { advance: '10m' });
      expect((await start(aGuest(limited), link.url)).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

describe('a payment of a link', () => {
  it('is not shown to visitors who only know its id, or under another link', async () => {
    const [link, other] = [await aLink(host, { max_payments: 2 }), await aLink(host)];
    const going = await start(aGuest(host), link.url);
    const { id } = await paymentOf(link);
    expect(kindOf(await aGuest(host).open(`${link.url}?payment=${id}&t=guess`))).toBe('form');
    expect(kindOf(await aGuest(host).open(going.url.replace(link.id, other.id)))).toBe('form');
  });

  it('cannot be canceled by its customer while it is in review', async () => {
    const link = await aLink(host);
    const visitor = aGuest(host);
    const page = await visitor.open(link.url);
    await arrange(host, 'wrong_amount');
    const going = await visitor.submit(page, 'start');
    await visitor.open(await choose(providerUrl(going), 'pay'));
    await drain(host);
    const review = { status: 'processing', review: { reason: 'amount_mismatch' } };
    expect(await paymentOf(link)).toMatchObject(review);
    await visitor.send(page.url, fieldsWithButton(page, 'cancel'));
    expect(await paymentOf(link)).toMatchObject(review);
  });

  it('passes no unrequested input on to the provider', async () => {
    const link = await aLink(host);
    const visitor = aGuest(host);
    const page = await visitor.open(link.url);
    await visitor.submit(page, 'start');
    const { id } = await paymentOf(link);
    const before = await callsAbout(host, id);
    expect((await visitor.send(page.url, fieldsWithButton(page, 'continue', { details: 'anything' }))).status).toBe(
      303,
    );
    expect(await callsAbout(host, id)).toEqual(before);
  });

  it('asks for the country and the email address if routing needs them', async () => {
    const own = await anOrganization(host);
    await aConnection(host, own, { provider: 'paystack' });
    const link = await aLink(host, { currency: 'NGN', amount: 500_000 }, own.key);
    const visitor = aGuest(host);
    const bare = await start(visitor, link.url);
    expect([bare.status, kindOf(bare)]).toEqual([400, 'form']);
    const page = await visitor.submit(bare, 'start', { country: 'NG', email: 'ada@example.com' });
    expect(kindOf(page)).toBe('action');
    const { payments } = (await host.call('GET', '/v1/payments', undefined, { key: own.key })).body;
    expect(payments).toMatchObject([
      { country: 'NG', customer_email: 'ada@example.com', status: 'requires_action', provider: 'paystack' },
    ]);
  });

  it('returns from every provider to the page of the link', async () => {
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
        const visitor = aGuest(all);
        const country = { razorpay: 'IN', paystack: 'NG', flutterwave: 'NG' }[provider] ?? 'DE';
        const going = await start(visitor, link.url, { country, email: 'ada@example.com' });
        expect(kindOf(going), provider).toBe('action');
        await walkThrough({ url: providerUrl(going), method: 'GET' }).catch(() => '');
        await all.control('POST', '/drain');
        expect(kindOf(await visitor.open(going.url)), provider).toBe('succeeded');
        expect((await getLink(all, link.id)).status, provider).toBe('completed');
      }
    } finally {
      await all.close();
    }
  }, 60_000);
});

it('an abandoned payment of a link is shown to the merchant as expired', async () => {
  const link = await aLink(host);
  await start(aGuest(host), link.url);
  const { id } = await paymentOf(link);
  await advance(host, '31m');
  expect(await read(host, id)).toMatchObject({
    status: 'failed',
    failure: { code: 'expired', category: 'expired' },
    payment_link_id: link.id,
  });
});

it('a late retry of a link’s payment gives the customer the full time to pay', async () => {
  const link = await aLink(host);
  await start(aGuest(host), link.url);
  const { id } = await paymentOf(link);
  await host.control('POST', '/psp/complete', { provider: 'stripe', reference: id, outcome: 'failed' });
  await drain(host);
  await advance(host, '40m');
  const retried = await host.call('POST', `/v1/payments/${id}/retry`);
  expect(retried).toMatchObject({ status: 200, body: { status: 'requires_action' } });
  await advance(host, '2m');
  expect((await read(host, id)).status).toBe('requires_action');
});
