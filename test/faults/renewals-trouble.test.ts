import { describe, expect, it } from 'vitest';
import type { Kind } from '#test/faults/crash-sweep.support.ts';
import {
  aBuyer,
  aDebt,
  booksOf,
  lastInvoiceOf,
  startToldHost,
  strike,
  verifyBooks,
  verifyNothingLeft,
  type Work,
} from '#test/faults/renewals.support.ts';
import { subscribe, subscriptionOf } from '#test/support/billing.ts';

/** A table that fails a worker at any step, without the worker dying of it. */
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
  'a try': {
    make: (host, start_at) => aDebt(host, { start_at }),
    prepare: async () => undefined,
    dueAt: async (host, made) => (await lastInvoiceOf(host, made)).next_retry_at,
    statuses: ['paid'],
    attempts: 2,
  },
};

describe.concurrent('a table that fails at any step of', () => {
  it.each(Object.entries(WORKS))(
    '%s costs time, and neither a charge nor an event',
    async (_, { statuses, attempts, ...work }) => {
      const host = await startToldHost();
      try {
        const struck = await strike(host, work, { kinds: WAYS, points: ['table'] });
        expect(struck.length).toBeGreaterThanOrEqual(3 * 6);
        await verifyNothingLeft(host);
        const books = await booksOf(host);
        for (const { made, where } of struck) {
          const { subscription, invoices } = await verifyBooks(host, made, books, where);
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
