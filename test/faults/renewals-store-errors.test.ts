import { describe, expect, it } from 'vitest';
import type { Kind } from '#test/faults/crash-sweep.support.ts';
import {
  aBuyer,
  aDebt,
  crashAtEachCall,
  lastInvoiceOf,
  ledgerOf,
  startHostWithWebhooks,
  verifyLedger,
  verifyNothingLeft,
  type Work,
} from '#test/faults/renewals.support.ts';
import { subscribe, subscriptionOf } from '#test/support/billing.ts';

/** A table that fails at any point of a worker, without crashing the worker. */
const WAYS: readonly Kind[] = [
  { kind: 'error', when: 'before' },
  { kind: 'error', when: 'after' },
  { kind: 'throttle', when: 'before' },
];

const WORKS: Readonly<Record<string, Work & { readonly statuses: readonly string[]; readonly attempts: number }>> = {
  'a renewal': {
    make: (host, start_at) => subscribe(host, { ...aBuyer(), start_at }),
    prepare: async () => undefined,
    dueAt: async (host, made) => (await subscriptionOf(host, made)).next_renewal_at,
    statuses: ['paid', 'paid'],
    attempts: 1,
  },
  'a retry': {
    make: (host, start_at) => aDebt(host, { start_at }),
    prepare: async () => undefined,
    dueAt: async (host, made) => (await lastInvoiceOf(host, made)).next_retry_at,
    statuses: ['paid'],
    attempts: 2,
  },
};

describe.concurrent('a table that fails at any point of', () => {
  it.each(Object.entries(WORKS))(
    '%s delays, but neither loses nor repeats a charge or an event',
    async (_, { statuses, attempts, ...work }) => {
      const host = await startHostWithWebhooks();
      try {
        const failed = await crashAtEachCall(host, work, { kinds: WAYS, points: ['table'] });
        expect(failed.length).toBeGreaterThanOrEqual(3 * 6);
        await verifyNothingLeft(host);
        const books = await ledgerOf(host);
        for (const { made, where } of failed) {
          const { subscription, invoices } = await verifyLedger(host, made, books, where);
          expect([subscription.status, invoices.map(({ status }) => status), invoices.at(-1).attempts], where).toEqual([
            'active',
            statuses,
            attempts,
          ]);
        }
      } finally {
        await host.close();
      }
    },
    300_000,
  );
});
