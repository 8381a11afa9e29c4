import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import {
  type ApiResponse,
  anOrganization,
  aPaymentBody,
  type Body,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import { anOwner, newEmail } from '#test/support/members.ts';
import { DASHBOARD, signIn } from '#test/support/people.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const create = (customer_email: string) => host.call('POST', '/v1/payments', aPaymentBody('ok', { customer_email }));
const magicLink = (email: string): Promise<ApiResponse> =>
  host.call('POST', '/v1/auth/magic-link', { email }, { key: null, headers: { origin: DASHBOARD } });

describe('an email address that mail servers accept', () => {
  it.each(['first&last@example.com', 'm!@example.com', 'kim@example.xn--p1ai', '"kim last"@example.com'])(
    'is taken of customers: %s',
    async (email) => {
      const { status, body } = await create(email);
      expect([status, body.status, body.customer_email]).toEqual([201, 'succeeded', email]);
    },
  );

  it.each(['first&last', 'm!', '"with a blank"'])('signs its user in: %s@…', async (local) => {
    const email = `${local}@${randomUUID()}.example.xn--p1ai`;
    expect((await magicLink(email)).status).toBe(202);
    expect(host.mailbox.to(email)).toHaveLength(1);
    expect((await signIn(host, email)).user.email).toBe(email);
  });

  it('can be invited, blocked, and be notified by workflows', async () => {
    const owner = await anOwner(host);
    const email = `first&last@${randomUUID()}.example.xn--p1ai`;
    expect((await owner.request('POST', '/v1/members', { email, role: 'viewer' })).status).toBe(201);
    const shop = await anOrganization(host);
    const policy = await host.call('POST', '/v1/policies/fraud', { blocked: { emails: [email] } }, { key: shop.key });
    expect(policy.body.blocked.emails).toEqual([email]);
  });
});

/** What comes along from a clipboard. */
const PASTED: readonly (readonly [string, string, string])[] = [
  ['no-break spaces', '\u00a0', '\u00a0'],
  ['zero-width spaces', '\u200b', '\u200b'],
  ['a byte order mark', '\ufeff', ''],
  ['line ends', '\n', '\r\n'],
  ['marks of direction', '\u202a', '\u202c'],
  ['wide spaces and joiners', '\u3000', '\u2060'],
];

describe.each(PASTED)('what is pasted with %s around it', (_, before, after) => {
  const pasted = (text: string) => before + text + after;

  it('is stored without: the address of a webhook endpoint', async () => {
    const { key } = await anOrganization(host);
    const url = `${host.controlUrl}/receiver/${randomUUID()}/hook`;
    const configured = await host.call('POST', '/v1/webhooks/config', { url: pasted(url), events: ['*'] }, { key });
    expect([configured.status, configured.body.url]).toEqual([200, url]);
    const event = (await host.call('POST', '/v1/webhooks/test', undefined, { key })).body;
    await host.drain();
    expect((await host.call('GET', `/v1/webhooks/events/${event.id}`, undefined, { key })).body.status).toBe(
      'delivered',
    );
  });

  it('is stored without: email addresses', async () => {
    const email = newEmail();
    expect((await create(pasted(email))).body.customer_email).toBe(email);
    expect((await magicLink(pasted(email))).status).toBe(202);
    expect(host.mailbox.to(email)).toHaveLength(1);
    const { key } = await anOrganization(host);
    const policy = { blocked: { emails: [pasted(email)] } };
    expect((await host.call('POST', '/v1/policies/fraud', policy, { key })).body.blocked.emails).toEqual([email]);
  });

  it('is stored without: names', async () => {
    const owner = await anOwner(host);
    const { body } = await owner.request('PATCH', '/v1/organization', {
      name: pasted('The Shop'),
      legal_name: pasted('Ltd'),
    });
    expect([body.name, body.legal_name]).toEqual(['The Shop', 'Ltd']);
    expect((await owner.request('PATCH', '/v1/organization', { name: pasted('') })).status).toBe(400);
  });

  it('is stored without: credentials of a provider', async () => {
    const { key } = await anOrganization(host);
    const credentials = randomCredentials('stripe', 'sandbox') ?? {};
    const padded = Object.fromEntries(
      Object.entries(credentials).map(([name, value]) => [name, pasted(String(value))]),
    );
    const made = await host.call('POST', '/v1/connections', { provider: 'stripe', credentials: padded }, { key });
    expect(made.status).toBe(201);
    const payment = await host.call('POST', '/v1/payments', aPaymentBody(), { key });
    expect(payment.body.status).toBe('succeeded');
  });

  it('is stored without: where the customer returns to', async () => {
    const payment_method = { type: 'card', token: 'ok', return_url: pasted('https://shop.example/back?a=b%20c') };
    expect((await host.call('POST', '/v1/payments', { ...aPaymentBody(), payment_method })).status).toBe(201);
  });

  it('is stored without: the address of an integration', async () => {
    const { key } = await anOrganization(host);
    const integration: Body = {
      name: pasted('Hook'),
      type: 'http',
      config: { url: pasted('https://shop.example/hook') },
    };
    const { status, body } = await host.call('POST', '/v1/workflows/integrations', integration, { key });
    expect([status, body.name, body.config.url]).toEqual([201, 'Hook', 'https://shop.example/hook']);
  });
});

it.each([
  'https://shop.example/ho\u200bok',
  'https://sh\u00adop.example/hook',
  'https://shop.example/my hook',
  'https://shop.example/ho\u00a0ok',
  'https://shop.example/ho\nok',
  'https://shop.example/ho\tok',
  'https://shop.example/ho\u3164ok',
  'https://shop.example/ho\u2800ok',
  'https://shop.example/hook%20',
  'https://shop.example/hook%C2%A0',
  'https://shop.example/hook%e2%80%8b',
  'https://shop.example/hook?shop=1%0A',
])('a blank or an invisible character within an address, or encoded at its end, is refused: %j', async (url) => {
  const config = await host.call('POST', '/v1/webhooks/config', { url, events: ['*'] });
  expect([config.status, config.body.code]).toEqual([400, 'url_not_allowed']);
  expect(config.body.message).toMatch(/invisible character/);
});
