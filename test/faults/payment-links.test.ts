import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  crashPointsOf,
  describePoint,
  eventsAbout,
  receiveEvents,
  runScheduledWork,
} from '#test/faults/crash-sweep.support.ts';
import {
  aGuest,
  aLink,
  fieldsOf,
  type GuestBrowser,
  type GuestPage,
  getLink,
  headline,
  providerUrl,
} from '#test/support/guest-browser.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain, moneyOf, read } from '#test/support/payment-steps.ts';

let host: TestHost;
let crashes = 0;
beforeAll(async () => {
  host = await startHost();
  await receiveEvents(host, 'shop');
});
afterAll(async () => {
  console.log(`payment links: ${crashes} crash points`);
  await host?.close();
});

const start = async (visitor: GuestBrowser, url: string): Promise<GuestPage> =>
  visitor.submit(await visitor.open(url), 'start');

/** Pays on the provider's page, and returns the URL that the customer is redirected to. */
async function payAt(url: string): Promise<string> {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams({ do: 'pay' }), redirect: 'manual' });
  return reply.headers.get('location') ?? '';
}

const paymentsOf = async (link: Body): Promise<Body[]> =>
  (await host.call('GET', `/v1/payments?limit=200&created_after=${link.created_at}`)).body.payments.filter(
    (p: Body) => p.payment_link_id === link.id,
  );

/** Checks that the link's count, the payments and the provider's money agree. */
async function verifyLink(link: Body, where: string): Promise<{ readonly made: number; readonly overpaid: number }> {
  const payments = await paymentsOf(link);
  const overpaid = payments.filter(({ refunds }) =>
    refunds.some(({ reason, status }: Body) => reason === 'link_overpaid' && status === 'succeeded'),
  );
  const kept = payments.filter((p) => p.status === 'succeeded' && !overpaid.includes(p));
  const { payments_made, max_payments, status } = await getLink(host, link.id);
  expect(payments_made, where).toBe(kept.length);
  expect(payments_made, where).toBeLessThanOrEqual(max_payments);
  expect(status, where).toBe(payments_made === max_payments ? 'completed' : 'active');
  expect((await eventsAbout(host, 'shop', link.id))['payment_link.paid'] ?? 0, where).toBe(kept.length);
  for (const payment of payments) {
    const { amount, refunded } = await moneyOf(host, payment.id);
    expect(amount - refunded, `${where}: ${payment.id} ${payment.status}`).toBe(
      kept.includes(payment) ? link.amount : 0,
    );
    expect(payment.amount_refunded, where).toBe(0);
  }
  return { made: payments_made, overpaid: overpaid.length };
}

describe('a payment link that many customers open at once', () => {
  it('starts as many payments as it allows, and no more', async () => {
    const link = await aLink(host, { max_payments: 5 });
    const visitors = Array.from({ length: 40 }, () => aGuest(host));
    const pages = await Promise.all(visitors.map((visitor) => visitor.open(link.url)));
    const answers = await Promise.all(visitors.map((visitor, n) => visitor.submit(pages[n]!, 'start')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(35);
    const backs = await Promise.all(
      answers.filter(({ status }) => status === 200).map((page) => payAt(providerUrl(page))),
    );
    await Promise.all(backs.map((back, n) => visitors[n]!.open(back)));
    await drain(host);
    expect(await verifyLink(link, 'forty at once')).toEqual({ made: 5, overpaid: 0 });
    expect((await paymentsOf(link)).length).toBe(5);
  });

  it('starts one payment for a form that is sent many times at once', async () => {
    const link = await aLink(host, { max_payments: 9 });
    const visitor = aGuest(host);
    const page = await visitor.open(link.url);
    const form = fieldsOf(page.html, 'start');
    const answers = await Promise.all(Array.from({ length: 12 }, () => visitor.send(page.url, form)));
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.get('location')}`)).size).toBe(1);
    expect((await paymentsOf(link)).length).toBe(1);
    await payAt(providerUrl(await visitor.open(answers[0]?.headers.get('location') ?? '')));
    await drain(host);
    expect(await verifyLink(link, 'sent twelve times')).toEqual({ made: 1, overpaid: 0 });
  });
});

describe('money that arrives after its slot was freed', () => {
  it('is refunded once if others have paid meanwhile', async () => {
    const link = await aLink(host);
    const slow = await start(aGuest(host), link.url);
    const slowPayment = (await paymentsOf(link))[0];
    await advance(host, '36m');
    const quick = await start(aGuest(host), link.url);
    await payAt(providerUrl(quick));
    await host.control('POST', '/psp/complete', {
      provider: 'stripe',
      reference: slowPayment.id,
      outcome: 'succeeded',
    });
    await drain(host);
    await runScheduledWork(host);
    expect(await verifyLink(link, headline(slow))).toEqual({ made: 1, overpaid: 1 });
    expect(await read(host, slowPayment.id)).toMatchObject({
      status: 'succeeded',
      late_success: true,
      amount_refunded: 0,
      refunds: [{ reason: 'link_overpaid', amount: 5_000 }],
    });
    expect(await host.call('POST', `/v1/payments/${slowPayment.id}/refund`)).toMatchObject({
      status: 400,
      body: { code: 'refund_exceeds_remaining' },
    });
    expect(await eventsAbout(host, 'shop', slowPayment.id)).toEqual({
      'payment.created': 1,
      'payment.failed': 1,
      'payment.succeeded': 1,
    });
  });

  it('counts if nobody else has paid', async () => {
    const link = await aLink(host);
    await start(aGuest(host), link.url);
    const [payment] = await paymentsOf(link);
    await advance(host, '36m');
    expect((await read(host, payment.id)).failure.code).toBe('expired');
    await host.control('POST', '/psp/complete', { provider: 'stripe', reference: payment.id, outcome: 'succeeded' });
    await drain(host);
    expect(await verifyLink(link, 'late')).toEqual({ made: 1, overpaid: 0 });
  });
});

const planCrash = (handler: string, { point, nth, when }: { point: string; nth: number; when: string }) =>
  host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler });

function assertCrashed(where: string): void {
  expect(host.faults.waiting.length, where).toBe(0);
  crashes += 1;
}

describe('a crash at any point', () => {
  it('of a start leaves one payment for the repeated form, and no lost slot', async () => {
    const somebody = aGuest(host);
    const form = await somebody.open((await aLink(host)).url);
    const points = await crashPointsOf(host, 'hosted-pages', () =>
      somebody.send(form.url, fieldsOf(form.html, 'start')),
    );
    expect(points.length).toBeGreaterThanOrEqual(6);
    for (const point of points) {
      const link = await aLink(host, { max_payments: 2 });
      const visitor = aGuest(host);
      const page = await visitor.open(link.url);
      await planCrash('hosted-pages', point);
      await visitor.send(page.url, fieldsOf(page.html, 'start'));
      assertCrashed(describePoint(point));
      const again = await visitor.submit(page, 'start');
      expect([200, 409], describePoint(point)).toContain(again.status);
      await runScheduledWork(host);
      const shown = await start(visitor, link.url);
      expect(shown.status, describePoint(point)).toBe(200);
      await payAt(providerUrl(shown));
      await drain(host);
      expect((await verifyLink(link, describePoint(point))).made, describePoint(point)).toBe(1);
    }
  }, 300_000);

  it.each(['relay', 'projector', 'timers'])(
    'of %s counts and announces a paid link once',
    async (handler) => {
      const paid = async () => {
        const link = await aLink(host, { max_payments: 2 });
        await payAt(providerUrl(await start(aGuest(host), link.url)));
        await runScheduledWork(host);
        return link;
      };
      const points = await crashPointsOf(host, handler, paid);
      for (const point of points) {
        await planCrash(handler, point);
        const link = await paid();
        await runScheduledWork(host);
        crashes += 1;
        expect((await verifyLink(link, describePoint(point))).made, describePoint(point)).toBe(1);
      }
    },
    300_000,
  );
});
