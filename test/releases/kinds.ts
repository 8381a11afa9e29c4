import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { HowToCall, ReleaseHost, Response } from '#test/releases/release-host.support.ts';
import type { ReceivedCall, ShopReceiver } from '#test/releases/shop-receiver.support.ts';
import type { Body } from '#test/support/host.ts';
import { codeAt } from '#test/support/totp-app.ts';

/** What one release leaves behind of a kind of record. */
export type Left = {
  /** What the other release must answer as this one did, and with which credential. */
  readonly reads: readonly (readonly [path: string, how?: HowToCall])[];
  /** What the other release must be able to do with it. */
  readonly go: (host: ReleaseHost) => Promise<void>;
};

/** `does`: what the other release does, as a sentence about the record. */
export type Kind = {
  readonly does: string;
  readonly write: (host: ReleaseHost, receiver: ShopReceiver) => Promise<Left>;
};

async function done(response: Promise<Response>): Promise<Body> {
  const { status, text, body } = await response;
  if (status >= 300) throw new Error(`Refused: ${status} ${text}`);
  return body;
}

const card = (token: string) => ({ amount: 5_000, currency: 'EUR', payment_method: { type: 'card', token } });
const drain = (host: ReleaseHost) => host.control('POST', '/drain');
const payment = async (host: ReleaseHost, id: string): Promise<Body> =>
  (await host.call('GET', `/v1/payments/${id}`)).body;

/** Jumps forward; what falls due meanwhile is done. */
const advance = (host: ReleaseHost, by: string) => host.control('POST', '/clock', { advance: by });
const nowOf = async (host: ReleaseHost): Promise<Date> => new Date((await host.control('GET', '/clock')).now);

const paid: Kind = {
  does: 'answers the repeat of a payment that was made with an idempotency key, and refunds it',
  write: async (host) => {
    const idempotencyKey = randomUUID();
    const { id } = await done(host.call('POST', '/v1/payments', card('ok'), { idempotencyKey }));
    await drain(host);
    return {
      reads: [[`/v1/payments/${id}`]],
      go: async (next) => {
        const again = await next.call('POST', '/v1/payments', card('ok'), { idempotencyKey });
        expect([again.status, again.body.id, again.headers.get('idempotency-replayed')]).toEqual([201, id, 'true']);
        await done(next.call('POST', `/v1/payments/${id}/refund`, { amount: 2_000 }));
        await drain(next);
        const { charges } = await next.control('GET', `/psp/calls?payment_id=${id}`);
        expect(charges[id]).toMatchObject({ count: 1, amount: 5_000, refunded: 2_000 });
        expect(await payment(next, id)).toMatchObject({ amount_refunded: 2_000 });
      },
    };
  },
};

/** A payment whose outcome comes later, from the provider. */
const waiting = (token: string, status: string): Kind => ({
  does: `settles a payment that is ${status}, by its provider's callback`,
  write: async (host) => {
    const { id } = await done(host.call('POST', '/v1/payments', card(token)));
    await drain(host);
    return {
      reads: [[`/v1/payments/${id}`]],
      go: async (next) => {
        expect(await payment(next, id)).toMatchObject({ status });
        await next.control('POST', '/psp/complete', { provider: 'stripe', reference: id, outcome: 'succeeded' });
        await drain(next);
        expect(await payment(next, id)).toMatchObject({ status: 'succeeded' });
      },
    };
  },
});

const returned: Kind = {
  does: "takes a customer who returns from the provider's page, by the token that the provider was given",
  write: async (host) => {
    const payment_method = { type: 'card', return_url: 'https://shop.example/thanks' };
    const { id, next_action } = await done(host.call('POST', '/v1/payments', { ...card('ok'), payment_method }));
    await drain(host);
    return {
      reads: [[`/v1/payments/${id}`]],
      go: async () => {
        const pressed = await fetch(next_action.url, {
          method: 'POST',
          body: new URLSearchParams({ do: 'pay' }),
          redirect: 'manual',
        });
        const back = await fetch(pressed.headers.get('location') ?? '', { redirect: 'manual' });
        expect(back.status).toBe(303);
        const shown = new URL(back.headers.get('location') ?? '').searchParams;
        expect([shown.get('payment_id'), shown.get('status')]).toEqual([id, 'succeeded']);
      },
    };
  },
};

const declined: Kind = {
  does: 'tries a declined payment again',
  write: async (host) => {
    const { id } = await done(host.call('POST', '/v1/payments', card('decline_insufficient_funds')));
    await drain(host);
    return {
      reads: [[`/v1/payments/${id}`]],
      go: async (next) => {
        const { payment_method } = card('ok');
        const retried = await done(next.call('POST', `/v1/payments/${id}/retry`, { payment_method }));
        expect(retried).toMatchObject({ status: 'succeeded', attempts: [{}, {}] });
      },
    };
  },
};

const intent: Kind = {
  does: 'confirms an intent in the browser, by its client secret and with its sealed payment method',
  write: async (host) => {
    const { id, client_secret } = await done(host.call('POST', '/v1/payments/intents', card('ok')));
    return {
      reads: [[`/v1/payments/${id}`]],
      go: async (next) => {
        const browser = { key: next.info.keys.public };
        const confirmed = await done(
          next.call('POST', `/v1/payments/${id}/confirm-intent`, { client_secret }, browser),
        );
        expect(confirmed).toMatchObject({ id, status: 'succeeded' });
      },
    };
  },
};

const apiKey: Kind = {
  does: 'accepts an API key, and shows it again to a repeat of the request that made it',
  write: async (host) => {
    const body = { name: 'Shop', scopes: ['payments:read'] };
    const idempotencyKey = randomUUID();
    const { key } = await done(host.call('POST', '/v1/api-keys', body, { idempotencyKey }));
    return {
      reads: [],
      go: async (next) => {
        expect((await next.call('GET', '/v1/payments', undefined, { key })).status).toBe(200);
        // An earlier release does not know of agents: its keys are of none.
        const [newest] = (await done(next.call('GET', '/v1/api-keys'))).api_keys;
        expect(newest.agent ?? false).toBe(false);
        expect((await done(next.call('POST', '/v1/api-keys', body, { idempotencyKey }))).key).toBe(key);
      },
    };
  },
};

/** The release before knows no agents: it makes none of their keys, and must let none of them act as ordinary ones. */
const agentKey: Kind = {
  does: "lets no agent's key move money without a person",
  write: async (host) => {
    const made = await host.call('POST', '/v1/api-keys', { ...AGENT, name: 'Agent' });
    return {
      reads: [],
      go: async (next) => {
        const { key } = made.status === 201 ? made.body : await done(next.call('POST', '/v1/api-keys', AGENT));
        const charge = await next.call('POST', '/v1/payments', card('ok'), { key });
        expect(charge.status).toBe(403);
        expect(['missing_scope', 'approval_required']).toContain(charge.body.code);
        const create = await next.call(
          'POST',
          '/v1/api-keys',
          { name: 'Another', scopes: ['payments:write'] },
          { key },
        );
        expect(create.status).toBe(403);
      },
    };
  },
};

const AGENT = { name: 'New agent', kind: 'secret', agent: true, scopes: ['payments:write', 'api_keys:write'] };

const pages: Kind = {
  does: "continues a list at another release's cursor",
  write: async (host) => {
    for (let n = 0; n < 3; n += 1) await done(host.call('POST', '/v1/payments/intents', card('ok')));
    const first = await host.call('GET', '/v1/payments?limit=1');
    const [, next = ''] = /<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? [];
    const { pathname, search } = new URL(next);
    return {
      reads: [[pathname + search]],
      go: async (other) => {
        const { payments } = await done(other.call('GET', pathname + search));
        expect(payments).toHaveLength(1);
        expect(payments[0].id).not.toBe(first.body.payments[0].id);
      },
    };
  },
};

const setup: Kind = {
  does: 'routes by connections, rules, tests and policies, and opens the credentials of each provider',
  write: async (host) => {
    const { connections } = host.info;
    const rule = await done(
      host.call('POST', '/v1/routing-rules', { name: 'NL', countries: ['nl'], connection_id: connections.stripe }),
    );
    await done(host.call('POST', '/v1/policies/fraud', { enabled: true, blocked: { emails: ['bad@example.com'] } }));
    await done(host.call('POST', '/v1/policies/retry', { delays: ['24h', '48h'], max_retries: 2 }));
    await drain(host);
    return {
      reads: [[`/v1/routing-rules/${rule.id}`], ['/v1/policies/fraud'], ['/v1/policies/retry']],
      go: async (next) => {
        for (const [provider, currency] of [
          ['adyen', 'EUR'],
          ['checkout', 'EUR'],
          ['mollie', 'EUR'],
          ['paypal', 'EUR'],
          ['paystack', 'NGN'],
          ['flutterwave', 'NGN'],
          ['razorpay', 'INR'],
        ] as const) {
          const payment_method = { type: 'card', tokens: { [provider]: 'ok' } };
          const body = { amount: 5_000, currency, customer_email: 'payer@example.com', payment_method };
          const made = await done(next.call('POST', '/v1/payments', body));
          expect([made.provider, made.status]).toEqual([
            provider,
            expect.stringMatching(/^(succeeded|processing|requires_action)$/),
          ]);
        }
        const blocked = { ...card('ok'), customer_email: 'bad@example.com' };
        expect(await done(next.call('POST', '/v1/payments', blocked))).toMatchObject({ status: 'failed' });
        const dutch = await done(next.call('POST', '/v1/payments', { ...card('ok'), country: 'NL' }));
        expect(dutch).toMatchObject({ provider: 'stripe', routing: { rule_id: rule.id } });
      },
    };
  },
};

const abTest: Kind = {
  does: 'goes on with a running A/B test, and counts for it',
  write: async (host) => {
    const { connections } = host.info;
    const rule = async (name: string, connection_id = '') =>
      (await done(host.call('POST', '/v1/routing-rules', { name, countries: ['be'], connection_id, enabled: false })))
        .id;
    const variants = [
      { name: 'A', weight: 1, routing_rule_id: await rule('to Stripe', connections.stripe) },
      { name: 'B', weight: 1, routing_rule_id: await rule('to Adyen', connections.adyen) },
    ];
    const path = '/v1/routing/ab-tests';
    const test = { name: 'a or b', variants, target_countries: ['BE'] };
    const { id } = await done(host.call('POST', path, test));
    await done(host.call('POST', `${path}/${id}/start`));
    return {
      reads: [[`/v1/routing-ab-tests/${id}`]],
      go: async (next) => {
        const payment_method = { type: 'card', tokens: { stripe: 'ok', adyen: 'ok' } };
        const body = { amount: 5_000, currency: 'EUR', country: 'BE', payment_method };
        const made = await done(next.call('POST', '/v1/payments', body));
        expect(made).toMatchObject({ status: 'succeeded', routing: { ab_test_id: id } });
        await drain(next);
        const { results } = await done(next.call('GET', `${path}/${id}/results`));
        const counted: number[] = results.map(({ transactions }: Body) => transactions);
        expect(counted.reduce((sum, each) => sum + each, 0)).toBe(1);
      },
    };
  },
};

const members: Kind = {
  does: 'shows an owner the members and the audit log, and takes an invitation back',
  write: async (host) => {
    const owner = asUser(cookieOf(await verify(host, await mailedToken(host, host.info.owner_email))));
    const how = { ...owner, headers: { ...owner.headers, 'x-org-id': host.info.org_id } };
    const email = `colleague-${randomUUID()}@example.com`;
    const invited = await done(
      host.call('POST', '/v1/members', { email, role: 'viewer' }, { ...how, idempotencyKey: randomUUID() }),
    );
    return {
      reads: [
        ['/v1/members', how],
        ['/v1/organization', how],
        ['/v1/organization/audit', how],
      ],
      go: async (next) => {
        const again = { ...how, idempotencyKey: randomUUID() };
        await done(next.call('DELETE', `/v1/members/${invited.id}`, undefined, again));
        const left: Body[] = (await done(next.call('GET', '/v1/members', undefined, how))).members;
        expect(left.filter(({ id }) => id === invited.id)).toEqual([]);
      },
    };
  },
};

const link: Kind = {
  does: 'shows the page of a payment link',
  write: async (host) => {
    const { id } = await done(host.call('POST', '/v1/payment-links', { amount: 5_000, currency: 'EUR' }));
    return {
      reads: [[`/v1/payment-links/${id}`]],
      go: async (next) => {
        const { status, text } = await next.call('GET', `/pay/${id}`, undefined, { key: null });
        expect([status, text]).toEqual([200, expect.stringContaining('<form')]);
      },
    };
  },
};

const cookieOf = ({ headers }: Response): string => headers.getSetCookie()[0]?.split(';')[0] ?? '';

async function mailedToken(host: ReleaseHost, email: string): Promise<string> {
  await done(host.call('POST', '/v1/auth/magic-link', { email }, { key: null, idempotencyKey: null }));
  const mails = await host.control('GET', `/mailbox?to=${encodeURIComponent(email)}`);
  return /\/sign-in\?token=([A-Za-z0-9]+)/.exec(mails.at(-1).text)?.[1] ?? '';
}

const verify = (host: ReleaseHost, token: string, more = ''): Promise<Response> =>
  host.call('GET', `/v1/auth/verify?token=${token}${more}`, undefined, { key: null });

const asUser = (cookie: string): HowToCall => ({
  key: null,
  idempotencyKey: null,
  headers: { cookie, origin: 'http://localhost:5173' },
});

const session: Kind = {
  does: 'lets a user go on with a session, and sign in with a link that was mailed before',
  write: async (host) => {
    const email = `user-${randomUUID()}@example.com`;
    const cookie = cookieOf(await verify(host, await mailedToken(host, email)));
    const unused = await mailedToken(host, email);
    return {
      reads: [],
      go: async (next) => {
        expect(await done(next.call('GET', '/v1/auth/session', undefined, asUser(cookie)))).toMatchObject({
          user: { email },
        });
        expect(await verify(next, unused)).toMatchObject({ status: 200, body: { user: { email } } });
      },
    };
  },
};

const authenticator: Kind = {
  does: 'accepts a code of an authenticator app, whose secret it opens, and a recovery code',
  write: async (host) => {
    const email = `app-${randomUUID()}@example.com`;
    const how = asUser(cookieOf(await verify(host, await mailedToken(host, email))));
    const { secret, recovery_codes } = await done(host.call('POST', '/v1/auth/2fa/setup', undefined, how));
    await done(host.call('POST', '/v1/auth/2fa/enable', { code: codeAt(secret, await nowOf(host)) }, how));
    return {
      reads: [],
      go: async (next) => {
        await advance(next, '2m');
        const code = codeAt(secret, await nowOf(next));
        expect((await verify(next, await mailedToken(next, email), `&code=${code}`)).status).toBe(200);
        const [spare] = recovery_codes;
        expect((await verify(next, await mailedToken(next, email), `&code=${spare}`)).status).toBe(200);
      },
    };
  },
};

const delivery: Kind = {
  does: 'delivers an event again that its receiver refused, signed with the secret that it opens',
  write: async (host, receiver) => {
    const config = { url: receiver.url, events: ['*'] };
    await done(host.call('POST', '/v1/webhooks/config', config));
    await drain(host);
    receiver.isFull = true;
    const { id } = await done(host.call('POST', '/v1/payments', card('ok')));
    await drain(host);
    receiver.isFull = false;
    receiver.refused = id;
    return {
      reads: [['/v1/webhooks/config']],
      go: async (next) => {
        receiver.refused = undefined;
        await advance(next, '1h');
        const mine = receiver.calls.filter(({ body }) => body.data?.id === id);
        expect(mine.map(({ body }) => body.type).sort()).toEqual(['payment.created', 'payment.succeeded']);
        const { signing_secret } = await done(next.call('GET', '/v1/webhooks/config'));
        for (const call of mine) expect(isSigned(call, signing_secret)).toBe(true);
      },
    };
  },
};

/** By our own scheme: the hash of the whole body, under the secret's text. */
const isSigned = ({ headers, text }: ReceivedCall, secret: string): boolean =>
  headers['x-service-signature'] === `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;

const workflow: Kind = {
  does: 'continues the execution of a workflow, and calls its integration with the secret header',
  write: async (host, receiver) => {
    const config = { url: receiver.url, headers: { 'x-shop': 'secret of the shop' } };
    const made = async (what: string, body: Body) => done(host.call('POST', `/v1/workflows/${what}`, body));
    const integration = await made('integrations', { name: 'CRM', type: 'http', config });
    const steps = [
      { id: 'wait', type: 'delay', for: '1d' },
      { id: 'tell', type: 'http_request', integration_id: integration.id },
    ];
    const template = await made('templates', { name: 'Later', steps });
    await made('rules', { name: 'on cancel', event: 'payment.canceled', template_id: template.id });
    const { id } = await done(host.call('POST', '/v1/payments/intents', card('ok')));
    await done(host.call('POST', `/v1/payments/${id}/cancel`));
    await drain(host);
    const [execution] = (await done(host.call('GET', '/v1/workflows/executions'))).executions;
    expect(execution).toMatchObject({ status: 'waiting' });
    return {
      reads: [
        [`/v1/workflows/templates/${template.id}`],
        [`/v1/workflows/integrations/${integration.id}`],
        [`/v1/workflows/executions/${execution.id}`],
      ],
      go: async (next) => {
        const before = receiver.calls.length;
        await advance(next, '25h');
        expect(await done(next.call('GET', `/v1/workflows/executions/${execution.id}`))).toMatchObject({
          status: 'succeeded',
        });
        const told = receiver.calls.slice(before).filter(({ headers }) => headers['x-shop'] === 'secret of the shop');
        expect(told).toHaveLength(1);
      },
    };
  },
};

const subscription: Kind = {
  does: 'renews a subscription with the payment method that was saved for it',
  write: async (host) => {
    const body = {
      customer_id: `customer-${randomUUID()}`,
      plan_id: 'basic',
      amount: 1_990,
      currency: 'EUR',
      interval: 'monthly',
      payment_method: { type: 'card', tokens: { stripe: 'pm_card_visa' } },
    };
    const { id } = await done(host.call('POST', '/v1/subscriptions', body));
    await drain(host);
    const invoices = `/v1/invoices?subscription_id=${id}`;
    return {
      reads: [[`/v1/subscriptions/${id}`], [invoices]],
      go: async (next) => {
        await advance(next, '32d');
        const found: Body[] = (await done(next.call('GET', invoices))).invoices;
        expect(found.map(({ status }) => status)).toEqual(['paid', 'paid']);
      },
    };
  },
};

const authorized: Kind = {
  does: 'captures a part of an authorized payment, and what was captured before stays',
  write: async (host) => {
    const { id } = await done(host.call('POST', '/v1/payments', { ...card('ok'), capture: 'manual' }));
    await done(host.call('POST', `/v1/payments/${id}/capture`, { amount: 1_000, final: false }));
    await drain(host);
    return {
      reads: [[`/v1/payments/${id}`]],
      go: async (next) => {
        const captured = await done(next.call('POST', `/v1/payments/${id}/capture`, { amount: 2_000 }));
        expect(captured).toMatchObject({ status: 'succeeded', captured_amount: 3_000, captures: [{}, {}] });
        await drain(next);
        expect(await payment(next, id)).toMatchObject({ status: 'succeeded', captured_amount: 3_000 });
      },
    };
  },
};

const disputed: Kind = {
  does: 'accepts a dispute of a payment',
  write: async (host) => {
    const { id } = await done(host.call('POST', '/v1/payments', card('ok')));
    await drain(host);
    await host.control('POST', '/psp/disputes', { provider: 'stripe', payment_id: id });
    await drain(host);
    const list = `/v1/disputes?payment_id=${id}`;
    const [dispute] = (await done(host.call('GET', list))).disputes;
    return {
      reads: [[list], [`/v1/disputes/${dispute.id}`], [`/v1/payments/${id}`]],
      go: async (next) => {
        await done(next.call('POST', `/v1/disputes/${dispute.id}/accept`));
        await drain(next);
        expect(await done(next.call('GET', `/v1/disputes/${dispute.id}`))).toMatchObject({ status: 'accepted' });
      },
    };
  },
};

/** In this order: the later ones move the clock, and what came before may have expired then. */
export const KINDS: readonly Kind[] = [
  paid,
  waiting('needs_3ds', 'requires_action'),
  waiting('pending', 'processing'),
  returned,
  declined,
  authorized,
  disputed,
  intent,
  apiKey,
  agentKey,
  pages,
  setup,
  abTest,
  members,
  link,
  session,
  authenticator,
  delivery,
  workflow,
  subscription,
];
