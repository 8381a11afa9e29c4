import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { aGuest, aLink, type GuestPage, getLink, headline, providerUrl } from '#test/support/guest-browser.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';

/** Where a provider's page has a button that cancels, and what its shop sells. */
const PROVIDERS = [
  ['stripe', 'EUR', 'card'],
  ['adyen', 'EUR', 'card'],
  ['paypal', 'EUR', 'wallet'],
  ['checkout', 'EUR', 'card'],
  ['flutterwave', 'NGN', 'card'],
] as const;

const kindOf = ({ html }: GuestPage): string => /data-view="([a-z-]+)"/.exec(html)?.[1] ?? '';
const refreshOf = ({ html }: GuestPage): string | undefined => /http-equiv="refresh" content="([^"]*)"/.exec(html)?.[1];

/** Presses a button on the provider's page, and returns the URL that the customer is redirected to. */
async function choose(url: string, choice: string): Promise<string> {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams({ do: choice }), redirect: 'manual' });
  return reply.headers.get('location') ?? '';
}

describe.each(PROVIDERS)('a customer who cancels on the page of %s', (provider, currency, method) => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost(provider === 'stripe' ? {} : { demoProviders: [provider] });
    if (provider === 'stripe') return;
    const { connections } = (await host.call('GET', '/v1/connections')).body;
    for (const other of connections.filter((each: Body) => each.provider !== provider))
      await host.call('POST', '/v1/connections', { id: other.id, provider: other.provider, status: 'inactive' });
  });
  afterAll(() => host?.close());

  const start = async (more: Body = {}) => {
    const link = await aLink(host, { currency, amount: 500_000, methods: [method], ...more });
    const visitor = aGuest(host);
    const form = await visitor.open(link.url);
    const going = await visitor.submit(form, 'start', { country: 'NG', email: 'ada@example.com' });
    return { link, visitor, going };
  };

  it('is not sent back there at once: the page says so, and offers to continue or to pay another way', async () => {
    const { link, visitor, going } = await start();
    expect([kindOf(going), refreshOf(going)]).toEqual(['action', expect.stringContaining('0;url=')]);
    const back = await visitor.open(await choose(providerUrl(going), 'cancel'));
    expect([kindOf(back), headline(back), refreshOf(back)]).toEqual(['stopped', 'You stopped the payment', undefined]);
    expect(back.html).toContain('name="do" value="cancel"');
    const paid = await visitor.open(await choose(providerUrl(back), 'pay'));
    expect(kindOf(paid)).toBe('succeeded');
    expect((await getLink(host, link.id)).payments_made).toBe(1);
  });

  it('can pay another way, and whoever pays twice gets the second payment back', async () => {
    const { link, visitor, going } = await start();
    const first = providerUrl(going);
    const back = await visitor.open(await choose(first, 'cancel'));
    const form = await visitor.submit(back, 'cancel');
    expect([kindOf(form), headline(form)]).toEqual(['form', expect.stringContaining('Demo Shop')]);
    const again = await visitor.submit(form, 'start', { country: 'NG', email: 'ada@example.com' });
    expect(kindOf(await visitor.open(await choose(providerUrl(again), 'pay')))).toBe('succeeded');
    // Where the provider cannot end its page, it still takes money.
    await choose(first, 'pay');
    await host.control('POST', '/drain');
    await host.control('POST', '/clock', { advance: '1h' });
    const payments: Body[] = (await host.call('GET', '/v1/payments?limit=200')).body.payments;
    const own = payments.filter(({ payment_link_id }) => payment_link_id === link.id);
    const { charges } = (await host.control('GET', '/psp/calls')).body;
    const kept = own.map(({ id }) => (charges[id]?.amount ?? 0) - (charges[id]?.refunded ?? 0));
    expect([kept.reduce((sum, amount) => sum + amount, 0), (await getLink(host, link.id)).payments_made]).toEqual([
      500_000, 1,
    ]);
  });

  it('finds the page of the payment waiting, in every language, when they open it again', async () => {
    const { visitor, going } = await start();
    const back = await visitor.open(await choose(providerUrl(going), 'cancel'));
    const reopened = await visitor.open(back.url);
    expect([kindOf(reopened), refreshOf(reopened)]).toEqual(['stopped', undefined]);
    for (const language of ['de', 'fr', 'es', 'nl', 'pt']) {
      const page = await aGuest(host, language).open(back.url);
      expect([kindOf(page), headline(page) === headline(back)], language).toEqual(['stopped', false]);
    }
  });
});

/** A shop with one provider only, whose customer has started a payment. */
async function aStartedPayment(provider: string, currency: string, country: string) {
  const host = await startHost({ demoProviders: [provider as 'mollie'] });
  onTestFinished(() => host.close());
  const { connections } = (await host.call('GET', '/v1/connections')).body;
  for (const other of connections.filter((each: Body) => each.provider !== provider))
    await host.call('POST', '/v1/connections', { id: other.id, provider: other.provider, status: 'inactive' });
  const link = await aLink(host, { currency, amount: 500_000, methods: ['card'] });
  const visitor = aGuest(host);
  const start = async (form: GuestPage) => visitor.submit(form, 'start', { country, email: 'ada@example.com' });
  return { host, link, visitor, start, going: await start(await visitor.open(link.url)) };
}

it('a customer who cancels on the page of mollie, which ends there, is told so and can start again', async () => {
  const { host, link, visitor, start, going } = await aStartedPayment('mollie', 'EUR', 'NL');
  const back = await visitor.open(await choose(providerUrl(going), 'cancel'));
  expect([kindOf(back), refreshOf(back)]).toEqual(['form', undefined]);
  expect(back.html).toMatch(/role="status"><p>You canceled the payment\. You can start again here\./);
  const again = await start(back);
  expect(providerUrl(again)).not.toBe(providerUrl(going));
  expect(kindOf(await visitor.open(await choose(providerUrl(again), 'pay')))).toBe('succeeded');
  expect((await getLink(host, link.id)).payments_made).toBe(1);
});

it.each([
  ['paystack', 'NGN', 'NG'],
  ['razorpay', 'INR', 'IN'],
])('a customer who leaves the page of %s, which leads nowhere, is not sent back there at once', async (...shop) => {
  const { host, link, visitor, start, going } = await aStartedPayment(...shop);
  // Paystack's page says that it was canceled; Razorpay's has no such button, so the customer closes it.
  await choose(providerUrl(going), 'cancel');
  const back = await visitor.open(link.url);
  expect([kindOf(back), refreshOf(back), headline(back)]).toEqual([
    'action',
    undefined,
    'You already started a payment',
  ]);
  const form = await visitor.submit(back, 'cancel');
  expect(kindOf(form)).toBe('form');
  const again = await start(form);
  await choose(providerUrl(again), 'pay');
  await host.control('POST', '/drain');
  expect(kindOf(await visitor.open(again.url))).toBe('succeeded');
  expect((await getLink(host, link.id)).payments_made).toBe(1);
});
