import { describe, expect, it } from 'vitest';
import { withEvent, withoutEvents } from '#shared/domain/payments/outbox.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { eventIdsOf, withAct, withEventTimes } from '#shared/domain/payments/payment-history.rules.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { aPayment } from '#test/support/payment.builder.ts';

const announce = (payment: Payment, n: number): Payment =>
  withEvent(payment, 'payment.refunded', plus(payment.created_at, n * MINUTE), {});
const relayed = (payment: Payment, stubs = payment.outbox): Payment =>
  withoutEvents(withEventTimes(payment, stubs), stubs) ?? payment;
/** With events of these minutes, each of which has an id of its own. */
function withEvents(count: number, relayAfter: (n: number) => boolean): { payment: Payment; ids: readonly string[] } {
  let payment = aPayment({ outbox: [], announced: 0 });
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    payment = announce(payment, n);
    ids.push(payment.outbox.at(-1)!.id);
    if (relayAfter(n)) payment = relayed(payment);
  }
  return { payment, ids };
}

describe('the ids of the events of a payment', () => {
  it.each<[string, (n: number) => boolean]>([
    ['while all wait for the relay', () => false],
    ['after each was relayed by itself', () => true],
    ['after some were relayed together, and the newest wait', (n) => n % 3 === 1],
  ])('are known %s', (_, relayAfter) => {
    const { payment, ids } = withEvents(9, relayAfter);
    expect(eventIdsOf(payment)).toEqual(ids);
  });

  it('are those of the newest sixty of very many', () => {
    const { payment, ids } = withEvents(200, () => true);
    expect(eventIdsOf(payment)).toEqual(ids.slice(-60));
    expect(payment.event_ms).toHaveLength(60);
  });

  it('are known after a relay that saw fewer events than there are by now', () => {
    const first = announce(aPayment({ outbox: [], announced: 0 }), 0);
    const both = announce(first, 1);
    const ids = both.outbox.map(({ id }) => id);
    expect(eventIdsOf(relayed(both, first.outbox))).toEqual(ids);
    expect(eventIdsOf(relayed(relayed(both, first.outbox)))).toEqual(ids);
  });

  it('are known also where the first event is younger than the payment, as of one that was recovered', () => {
    const payment = announce(announce(aPayment({ outbox: [], announced: 0 }), 5), 6);
    expect(eventIdsOf(relayed(payment))).toEqual(payment.outbox.map(({ id }) => id));
  });

  it('take no time of a usual payment but that of its outcome', () => {
    expect(withEvents(2, (n) => n === 1).payment.event_ms).toEqual([MINUTE]);
  });
});

it('notes who asked once, and forgets the oldest of very many', () => {
  const act = (n: number) =>
    ({ type: 'refund', at: plus('2026-03-01T00:00:00.000Z', n).toISOString(), by: 'key_a' }) as const;
  const once = withAct(withAct(aPayment(), act(0)), act(0));
  expect(once.acts).toEqual([act(0)]);
  const cancel = { ...act(1), type: 'cancel' } as const;
  const ended = { ...cancel, type: 'end_review' } as const;
  expect(withAct(withAct(aPayment(), ended), cancel).acts).toEqual([ended]);
  const many = Array.from({ length: 40 }, (_, n) => act(n)).reduce(withAct, aPayment());
  expect(many.acts).toEqual(Array.from({ length: 30 }, (_, n) => act(n + 10)));
});
