import { describe, expect, it } from 'vitest';
import {
  aBuyer,
  aDebt,
  before,
  type CrashOptions,
  crashAtEachCall,
  lastInvoiceOf,
  ledgerOf,
  startHostWithWebhooks,
  verifyLedger,
  verifyNothingLeft,
  type Work,
} from '#test/faults/renewals.support.ts';
import { goTo, subscribe, subscriptionOf } from '#test/support/billing.ts';
import type { Body, TestHost } from '#test/support/host.ts';
import { arrange } from '#test/support/payment-steps.ts';

/**
 * A relay that crashes at any point of publishing the events of subscriptions, invoices and payments: no event is
 * lost, and none is published twice.
 */
const nothingElse = async (): Promise<void> => undefined;
const starting = (host: TestHost, start_at: string): Promise<Body> => subscribe(host, { ...aBuyer(), start_at });
const renewalOf = async (host: TestHost, made: Body): Promise<string> =>
  (await subscriptionOf(host, made)).next_renewal_at;
const later = (time: string, ms: number): string => before(time, -ms);

const charged = (times: number): Body => ({
  'subscription.created': 1,
  'invoice.created': times,
  'invoice.paid': times,
  'payment.created': times,
  'payment.succeeded': times,
  ...(times > 1 && { 'subscription.renewed': times - 1 }),
});

/** The worker crashes after it sent the charge, so that only the payment's timer finds the outcome. */
const withoutWorker = (dueAt: Work['dueAt']): Pick<Work, 'dueAt' | 'approach'> => ({
  dueAt: async (host, made) => later(await dueAt(host, made), 61_000),
  approach: async (host, made) => {
    const due = await dueAt(host, made);
    await goTo(host, before(due));
    await host.control('POST', '/faults', { point: 'psp', nth: 1, kind: 'crash', when: 'after', handler: 'renewals' });
    await goTo(host, later(due, 59_000));
    expect(host.faults.waiting).toEqual([]);
  },
});
const loseResponse = (host: TestHost, { customer_id }: Body) =>
  arrange(host, 'approve', { webhook: 'none', match: { customer_id } });

/** `calls`: the minimum number of calls by the relay, even if one batch of the stream has all changes. */
type Case = Work & {
  readonly setUp?: (host: TestHost) => Promise<unknown>;
  readonly calls: number;
  readonly told: Body;
};

const CASES: Readonly<Record<string, Case>> = {
  'of a first charge': { make: starting, dueAt: async (_, { start_at }) => start_at, calls: 5, told: charged(1) },
  'of a renewal': { make: starting, prepare: nothingElse, dueAt: renewalOf, calls: 5, told: charged(2) },
  'of a renewal whose worker has crashed': {
    make: starting,
    prepare: loseResponse,
    ...withoutWorker(renewalOf),
    calls: 5,
    told: charged(2),
  },
  'of a last attempt whose worker has crashed': {
    setUp: (host) => host.call('POST', '/v1/policies/retry', { plan_id: 'once', delays: ['6h'], max_retries: 1 }),
    make: (host, start_at) => aDebt(host, { start_at, plan_id: 'once' }),
    prepare: (host, { customer_id }) =>
      arrange(host, 'decline:insufficient_funds', { webhook: 'none', match: { customer_id } }),
    ...withoutWorker(async (host, made) => (await lastInvoiceOf(host, made)).next_retry_at),
    calls: 5,
    told: {
      'subscription.created': 1,
      'invoice.created': 1,
      'payment.created': 1,
      'payment.failed': 2,
      'invoice.failed': 1,
      'subscription.paused': 1,
    },
  },
};
const CRASH_OPTIONS: CrashOptions = { group: 'relay', also: nothingElse };

describe.concurrent('a relay that crashes at any point of publishing', () => {
  it.each(Object.entries(CASES))(
    '%s publishes every event once',
    async (_, { setUp, calls, told: expected, ...work }) => {
      const host = await startHostWithWebhooks();
      try {
        await setUp?.(host);
        const crashed = await crashAtEachCall(host, work, CRASH_OPTIONS);
        expect(crashed.length).toBeGreaterThanOrEqual(2 * calls);
        await verifyNothingLeft(host);
        const books = await ledgerOf(host);
        for (const { made, where } of crashed)
          expect((await verifyLedger(host, made, books, where)).eventCounts, where).toEqual(expected);
      } finally {
        await host.close();
      }
    },
    300_000,
  );
});
