import { describe, expect, it } from 'vitest';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { aPayment, ORG, paymentId } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const reviewed = (n: number, version: number, since: Date | undefined): Payment =>
  aPayment({
    id: paymentId(n),
    org_id: ORG,
    version,
    review: since ? { reason: 'no_verdict', at: since.toISOString() } : null,
  });

export function reviews(): void {
  describe('the list of reviews', () => {
    it('shows the newest version, in whatever order and how often the versions are noted', async () => {
      const { reviews: list } = memoryStore();
      const versions = Array.from({ length: 9 }, (_, n) => reviewed(1, n + 1, n % 2 === 0 ? later(n) : undefined));
      const mixed = [...versions, ...versions].sort((a, b) => ((a.version * 7) % 9) - ((b.version * 7) % 9));
      await Promise.all(mixed.map((payment) => list.note(payment, START)));
      expect(await list.list(ORG, { limit: 10 })).toEqual({ ids: [paymentId(1)], next: undefined });
      await list.note(reviewed(1, 10, undefined), START);
      await Promise.all(mixed.map((payment) => list.note(payment, START)));
      expect((await list.list(ORG, { limit: 10 })).ids).toEqual([]);
    });

    it('begins with what waits longest, whatever partition it is in, and goes on where a page ends', async () => {
      const { reviews: list } = memoryStore();
      for (const n of [4, 2, 7, 1, 6, 3, 5]) await list.note(reviewed(n, 1, later(10 - n)), START);
      const first = await list.list(ORG, { limit: 3 });
      expect(first.ids).toEqual([7, 6, 5].map(paymentId));
      const second = await list.list(ORG, { limit: 3, cursor: String(first.next) });
      expect(second.ids).toEqual([4, 3, 2].map(paymentId));
      expect(await list.list(ORG, { limit: 3, cursor: String(second.next) })).toEqual({
        ids: [paymentId(1)],
        next: undefined,
      });
      expect((await list.list(ORG, { limit: 2, offset: 4 })).ids).toEqual([3, 2].map(paymentId));
      expect((await list.list('org_other', { limit: 3 })).ids).toEqual([]);
    });
  });
}
