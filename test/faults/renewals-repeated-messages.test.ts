import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sweepDue } from '#functions/timers/sweep-due.usecase.ts';
import { type CrashPoint, crashPointsOf, describePoint } from '#test/faults/crash-sweep.support.ts';
import {
  aBuyer,
  aDebt,
  lastInvoiceOf,
  ledgerOf,
  startHostWithWebhooks,
  verifyLedger,
  verifyNothingLeft,
} from '#test/faults/renewals.support.ts';
import {
  changeSubscription,
  endSubscriptions,
  goTo,
  invoicesOf,
  moveSubscription,
  stopUntil,
  subscribe,
  subscriptionOf,
} from '#test/support/billing.ts';
import type { Body, TestHost } from '#test/support/host.ts';
import { drain } from '#test/support/payment-steps.ts';

/** Repeated, late or needless messages: each period is still charged once, and in order. */
let host: TestHost;
beforeAll(async () => {
  host = await startHostWithWebhooks();
});
afterEach(async () => {
  await host.control('DELETE', '/faults');
  await endSubscriptions(host);
});
afterAll(() => host?.close());

const MANY = 30;
const many = async (make: (n: number) => Promise<Body>): Promise<Body[]> => {
  const made: Body[] = [];
  for (let n = 0; n < MANY; n += 1) made.push(await make(n));
  return made;
};
const sweep = (): Promise<void> => host.invocations.invoke('sweep-due', 60_000, () => sweepDue(host.deps));
const sendMessages = (kind: 'subscription' | 'invoice', ids: readonly string[]) =>
  host.deps.queue.send(
    'renewals',
    ids.map((id) => ({ body: { kind, id }, group: id })),
  );

/** Moves the clock to this time, and stops it during the work. */
async function atStoppedClock(time: string, happens: () => Promise<unknown>): Promise<void> {
  await host.clock.stand(new Date(time));
  try {
    await happens();
    await drain(host);
  } finally {
    await host.clock.run();
  }
}

async function verifyAll(made: readonly Body[], statuses: readonly string[], attempts = 1): Promise<void> {
  await verifyNothingLeft(host);
  const books = await ledgerOf(host);
  for (const each of made) {
    const { invoices } = await verifyLedger(host, each, books, each.id);
    expect(invoices.map(({ status }) => status)).toEqual(statuses);
    expect(invoices.at(-1).attempts).toBe(attempts);
  }
}

describe('a schedule that fires several times at once', () => {
  it('charges each period once', async () => {
    const start_at = new Date(host.clock.now().getTime() + 3_600_000).toISOString();
    const made = await many(() => subscribe(host, { ...aBuyer(), start_at }));
    await atStoppedClock(start_at, () => Promise.all([sweep(), sweep(), sweep()]));
    await verifyAll(made, ['paid']);
    const { next_renewal_at } = await subscriptionOf(host, made[0]);
    await atStoppedClock(next_renewal_at, () => Promise.all([sweep(), sweep(), sweep()]));
    await verifyAll(made, ['paid', 'paid']);
  });

  it('makes one attempt per invoice', async () => {
    const start_at = new Date(host.clock.now().getTime() + 3_600_000).toISOString();
    const made = await many(() => aDebt(host, { start_at }));
    await goTo(host, start_at);
    const { next_retry_at } = await lastInvoiceOf(host, made[0]);
    await atStoppedClock(next_retry_at, () => Promise.all([sweep(), sweep(), sweep()]));
    await verifyAll(made, ['paid'], 2);
  });
});

describe('a message that is delivered several times', () => {
  const threeTimes = ({ id }: Body): readonly string[] => [id, id, id];

  it('concurrently charges a period once, and changes nothing later', async () => {
    const start_at = new Date(host.clock.now().getTime() + 3_600_000).toISOString();
    const made = await many(() => subscribe(host, { ...aBuyer(), start_at }));
    await atStoppedClock(start_at, () => sendMessages('subscription', made.flatMap(threeTimes)));
    await verifyAll(made, ['paid']);
    await sendMessages('subscription', made.flatMap(threeTimes));
    await verifyAll(made, ['paid']);
  });

  it('concurrently makes one attempt for an invoice, and changes nothing later', async () => {
    const start_at = new Date(host.clock.now().getTime() + 3_600_000).toISOString();
    const made = await many(() => aDebt(host, { start_at }));
    await goTo(host, start_at);
    const invoices = await Promise.all(made.map((each) => lastInvoiceOf(host, each)));
    await atStoppedClock(invoices[0].next_retry_at, () => sendMessages('invoice', invoices.flatMap(threeTimes)));
    await verifyAll(made, ['paid'], 2);
    await sendMessages('invoice', invoices.flatMap(threeTimes));
    await verifyAll(made, ['paid'], 2);
  });

  it.each<readonly [string, () => Promise<Body>]>([
    ['has been charged', () => subscribe(host, aBuyer())],
    [
      'is paused',
      async () => {
        const made = await subscribe(host, aBuyer());
        return (await changeSubscription(host, made, { status: 'paused' })).body;
      },
    ],
    ['is canceled', async () => (await moveSubscription(host, await subscribe(host, aBuyer()), 'cancel')).body],
    [
      'is paused while its invoice waits',
      async () => (await changeSubscription(host, await aDebt(host), { status: 'paused' })).body,
    ],
    [
      'starts later',
      () => subscribe(host, { ...aBuyer(), start_at: new Date(host.clock.now().getTime() + 86_400_000).toISOString() }),
    ],
  ])('does not change a subscription that %s', async (_, make) => {
    const made = await make();
    await drain(host);
    const invoices = await invoicesOf(host, made);
    const seen = async () => [
      await host.deps.subscriptions.byId(made.id),
      await Promise.all(invoices.map(({ id }) => host.deps.invoices.byId(id))),
      (await host.control('GET', '/psp/calls')).body.calls.length,
    ];
    const before = await seen();
    await sendMessages('subscription', threeTimes(made));
    for (const invoice of invoices) await sendMessages('invoice', threeTimes(invoice));
    await drain(host);
    expect(await seen()).toEqual(before);
  });

  it('is dropped if its subscription does not exist', async () => {
    await sendMessages('subscription', ['sub_gone', host.info.org_id]);
    await sendMessages('invoice', ['inv_gone', '']);
    await verifyNothingLeft(host);
  });
});

describe('a sweep that runs three months late', () => {
  const PERIODS = 3;
  const late = ({ next_renewal_at }: Body): string => {
    const renewal = new Date(next_renewal_at);
    return new Date(renewal.setUTCMonth(renewal.getUTCMonth() + PERIODS - 1)).toISOString();
  };
  const beginning = async (): Promise<Body> => {
    // A day that each month has.
    const now = host.clock.now();
    await goTo(host, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 5)).toISOString());
    return subscribe(host, aBuyer());
  };
  type Late = { readonly made: Body; readonly deaths: number; readonly where: string };

  /** Workers crash at these calls, and the sweep finds all missing periods. */
  async function catchUp(faults: readonly Pick<CrashPoint, 'point' | 'nth' | 'when'>[], where: string): Promise<Late> {
    const made = await beginning();
    for (const { point, nth, when } of faults)
      await host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler: 'renewals' });
    await stopUntil(host, late(made));
    const deaths = faults.length - host.faults.waiting.length;
    await host.control('DELETE', '/faults');
    await verifyNothingLeft(host);
    await moveSubscription(host, made, 'cancel');
    return { made, deaths, where };
  }

  async function verifyCaughtUp(all: readonly Late[]): Promise<void> {
    const books = await ledgerOf(host);
    for (const { made, where } of all) {
      const { invoices, payments } = await verifyLedger(host, made, books, where);
      const starts = invoices.map(({ period_start }) => period_start);
      expect(
        invoices.map(({ status, number }) => [status, number.slice(-4)]),
        where,
      ).toEqual(starts.map((_, n) => ['paid', String(n + 1).padStart(4, '0')]));
      for (const [n, { period_end }] of invoices.slice(0, -1).entries()) expect(period_end, where).toBe(starts[n + 1]);
      const created = invoices.map(({ created_at }) => created_at);
      expect([starts.length, payments.length, created.toSorted()], where).toEqual([1 + PERIODS, 1 + PERIODS, created]);
    }
  }

  it('catches up even if a worker crashes at any step of any of its messages', async () => {
    const probe = await beginning();
    const points = await crashPointsOf(host, 'renewals', () => stopUntil(host, late(probe)));
    await endSubscriptions(host);
    const all: Late[] = [];
    for (const point of points) all.push(await catchUp([point], describePoint(point)));
    const died = all.filter(({ deaths }) => deaths === 1);
    expect(died.length).toBeGreaterThanOrEqual(PERIODS * 4);
    // Whether the worker or the relay settles the invoice first changes the number of calls by one.
    expect(died.length).toBeGreaterThanOrEqual(all.length - 4);
    await verifyCaughtUp(all);
  }, 300_000);

  it.each([
    [1, 8, 15],
    [3, 6, 9],
    [4, 5, 6],
    [7, 14, 21],
    [5, 12, 27],
  ])('catches up even if workers crash repeatedly, at the table calls %i, %i and %i', async (...deaths) => {
    const caughtUp = await catchUp(
      deaths.map((nth) => ({ point: 'table', nth, when: 'after' })),
      deaths.join(),
    );
    expect(caughtUp.deaths).toBeGreaterThanOrEqual(2);
    await verifyCaughtUp([caughtUp]);
  });
});
