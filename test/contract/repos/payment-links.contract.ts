import { describe, expect, it } from 'vitest';
import { countPayment, expireLink, releaseSlot } from '#shared/domain/links/payment-link.machine.ts';
import { MAX_SLOTS } from '#shared/domain/links/payment-link.rules.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import type { LinksQuery } from '#shared/ports/payment-links.port.ts';
import { listLinks, paymentLinkEntity } from '#shared/store/repos/links/payment-link.repo.ts';
import { losingResponses, memoryStore, times } from '#test/support/memory-store.ts';
import { ORG, paymentId } from '#test/support/payment.builder.ts';
import { aPaymentLink, linkId } from '#test/support/payment-link.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

async function stored(about: Parameters<typeof aPaymentLink>[0] = {}, options = {}) {
  const store = memoryStore(options);
  const link = await store.paymentLinks.create(aPaymentLink(about));
  const now = async () => (await store.paymentLinks.byId(link.id)) ?? link;
  return { ...store, link, now };
}

export function paymentLinks(): void {
  describe('a payment link', () => {
    it('is found by its id, in its own organization only', async () => {
      const { paymentLinks: links, link } = await stored();
      expect([await links.byId(link.id), await links.get(ORG, link.id), await links.get('org_other', link.id)]).toEqual(
        [link, link, undefined],
      );
      expect([await links.byId('nonsense'), await links.byId(linkId(9)), await links.byId(paymentId(1))]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    });

    it('that is created again is the stored one', async () => {
      const { paymentLinks: links, link } = await stored();
      expect(await links.create(aPaymentLink({ description: 'later' }))).toEqual(link);
    });

    it('is changed by version, and again after a lost race', async () => {
      const { paymentLinks: links, link, now } = await stored();
      await times(20, (n) => links.change(link, (l) => ({ ...l, metadata: { ...l.metadata, [`k${n}`]: n } })));
      expect(Object.keys((await now()).metadata)).toHaveLength(20);
    });

    it('is due for the earliest of its duties', async () => {
      const {
        paymentLinks: links,
        link,
        due,
      } = await stored({ expires_at: later(60 * MINUTE).toISOString(), max_payments: 3 });
      expect(await due.earliest()).toBe(link.expires_at);
      await links.reserve(link, paymentId(1), START);
      expect(await due.earliest()).toBe(later(35 * MINUTE).toISOString());
      const found = (await Promise.all(due.shards.map((shard) => due.due(shard, later(36 * MINUTE), 10)))).flat();
      expect(found).toMatchObject([{ kind: 'payment_link', id: link.id }]);
    });
  });

  describe('a slot of a payment link', () => {
    it('is taken by as many payments as there are slots, however many start at once', async () => {
      const { paymentLinks: links, link, now } = await stored({ max_payments: 5 });
      const got = await times(40, (n) => links.reserve(link, paymentId(n + 1), START));
      expect(got.filter((each) => each === 'held')).toHaveLength(5);
      expect(got.filter((each) => each === 'busy')).toHaveLength(35);
      const after = await now();
      expect([after.slots_left, Object.keys(after.slots).length]).toEqual([0, 5]);
    });

    it('is taken once by a repeated start, even if the first response was lost', async () => {
      const { paymentLinks: links, link, now } = await stored({ max_payments: 2 });
      expect([
        await links.reserve(link, paymentId(1), START),
        await links.reserve(link, paymentId(1), later(MINUTE)),
      ]).toEqual(['held', 'again']);
      expect((await now()).slots_left).toBe(1);
    });

    it('is held for half an hour', async () => {
      const { paymentLinks: links, link, now } = await stored();
      await links.reserve(link, paymentId(1), START);
      expect(Object.values((await now()).slots)).toEqual([
        { state: 'held', payment_id: paymentId(1), until: later(30 * MINUTE).toISOString() },
      ]);
    });

    it.each([
      ['was deactivated', { status: 'inactive' }],
      ['is used up', { status: 'completed', payments_made: 1 }],
      ['has expired, before the sweep', { expires_at: START.toISOString() }],
    ] as const)('is refused by a link that %s', async (_, about) => {
      const { paymentLinks: links, link } = await stored(about);
      expect(await links.reserve(link, paymentId(1), START)).toBe('closed');
    });

    it('is refused while too many customers are paying', async () => {
      const slots = Object.fromEntries(
        Array.from({ length: MAX_SLOTS }, (_, n) => [
          String(n),
          { state: 'held' as const, payment_id: paymentId(n), until: later(MINUTE).toISOString() },
        ]),
      );
      const { paymentLinks: links, link } = await stored({ max_payments: MAX_SLOTS + 10, slots });
      expect(await links.reserve(link, paymentId(MAX_SLOTS + 1), START)).toBe('busy');
    });

    it('that is released can be taken by another payment at once', async () => {
      const { paymentLinks: links, link, now } = await stored();
      await links.reserve(link, paymentId(1), START);
      await links.change(await now(), (l) => releaseSlot(l, paymentId(1)));
      expect([await links.reserve(link, paymentId(1), START), await links.reserve(link, paymentId(2), START)]).toEqual([
        'again',
        'held',
      ]);
    });

    it('is counted once, however often and by however many workers', async () => {
      const { paymentLinks: links, link, now } = await stored({ max_payments: 9 }, { through: losingResponses(1) });
      await links.reserve(link, paymentId(1), START);
      await times(8, () => links.change(link, (l) => countPayment(l, paymentId(1), plus(START, 1))));
      expect(await now()).toMatchObject({ payments_made: 1, slots_left: 8, announced: 1 });
    });
  });

  describe('a list of payment links', () => {
    it('is newest first, and its cursor reaches each link once', async () => {
      const { paymentLinks: links } = memoryStore();
      for (let n = 1; n <= 7; n += 1) await links.create(aPaymentLink({ id: linkId(n) }));
      await links.create(aPaymentLink({ id: linkId(8), org_id: 'org_01jqeh2s00e8x9v3k5t7w2m4nq' }));
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await links.list(ORG, { limit: 3, offset: 0, ...(cursor && { cursor }) });
        expect(page.total).toBe(7);
        ids.push(...page.items.map(({ id }) => id));
        cursor = page.next;
      } while (cursor);
      expect(ids).toEqual([7, 6, 5, 4, 3, 2, 1].map(linkId));
    });

    it('filters by status, and shows links as expired even before the sweep', async () => {
      const { paymentLinks: links } = memoryStore();
      await links.create(aPaymentLink({ id: linkId(1) }));
      await links.create(aPaymentLink({ id: linkId(2), status: 'inactive' }));
      await links.create(aPaymentLink({ id: linkId(3), expires_at: START.toISOString() }));
      await links.create(aPaymentLink({ id: linkId(4), status: 'expired', expires_at: later(-MINUTE).toISOString() }));
      await links.create(aPaymentLink({ id: linkId(5), expires_at: later(1).toISOString() }));
      await links.create(aPaymentLink({ id: linkId(6), expires_at: later(-MINUTE).toISOString() }));
      await links.create(
        aPaymentLink({ id: linkId(7), org_id: 'org_01jqeh2s00e8x9v3k5t7w2m4nq', expires_at: START.toISOString() }),
      );
      const listed = async (where: Partial<LinksQuery>) => {
        const { items, total, next } = await links.list(ORG, { limit: 10, offset: 0, ...where });
        return [items.map(({ id }) => id), total, next];
      };
      expect(await listed({ status: 'active' })).toEqual([[5, 1].map(linkId), 2, undefined]);
      expect(await listed({ status: 'expired' })).toEqual([[6, 4, 3].map(linkId), 3, undefined]);
      expect(await listed({ status: 'inactive', limit: 1 })).toEqual([[linkId(2)], 1, undefined]);
      expect(await listed({})).toEqual([[6, 5, 4, 3, 2, 1].map(linkId), 6, undefined]);
      expect(await listed({ status: 'expired', limit: 1, offset: 1 })).toEqual([[linkId(4)], 3, linkId(4)]);
      expect(await listed({ status: 'expired', cursor: linkId(4) })).toEqual([[linkId(3)], 3, undefined]);
      expect(await listed({ status: 'active', limit: 1 })).toEqual([[linkId(5)], 2, linkId(5)]);
      expect(await listed({ status: 'active', offset: 1 })).toEqual([[linkId(1)], 2, undefined]);
    });

    it('shows each link once, even during a sweep', async () => {
      const { paymentLinks: links } = memoryStore();
      for (let n = 1; n <= 9; n += 1)
        await links.create(aPaymentLink({ id: linkId(n), expires_at: later(-n).toISOString() }));
      const found: string[] = [];
      let cursor: string | undefined;
      for (let swept = 9; swept > 0; swept -= 3) {
        const page = await links.list(ORG, { status: 'expired', limit: 3, offset: 0, ...(cursor && { cursor }) });
        found.push(...page.items.map(({ id }) => id));
        cursor = page.next;
        expect(page.total).toBe(9);
        for (const n of [swept - 1, swept - 4]) {
          const link = n < 1 ? undefined : await links.byId(linkId(n));
          if (link) await links.change(link, (l) => expireLink(l, START));
        }
      }
      expect([found, cursor]).toEqual([[9, 8, 7, 6, 5, 4, 3, 2, 1].map(linkId), undefined]);
    });

    it('ends a page early if it gets too large, without losing a link', async () => {
      const { table } = memoryStore();
      for (let n = 1; n <= 7; n += 1)
        await table.put(paymentLinkEntity.toItem(aPaymentLink({ id: linkId(n), description: 'x'.repeat(400) })));
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = await listLinks(table, ORG, { limit: 5, offset: 0, ...(cursor && { cursor }) }, START, {
          records: 2_000,
          bytes: 1_500,
        });
        pages.push(page.items.map(({ id }) => id));
        cursor = page.next;
      } while (cursor);
      expect(pages).toEqual([[7, 6], [5, 4], [3, 2], [1]].map((page) => page.map(linkId)));
    });
  });
}
