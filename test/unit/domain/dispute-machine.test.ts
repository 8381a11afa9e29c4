import { describe, expect, it } from 'vitest';
import {
  answerUnknown,
  applyDeadline,
  applyFound,
  disputeId,
  openDispute,
  recordAnswer,
  releaseAnswer,
  reserveAnswer,
  settleUnknownAnswer,
} from '#shared/domain/disputes/dispute.machine.ts';
import {
  DISPUTE_STATUSES,
  type Dispute,
  type DisputeStatus,
  type FoundDispute,
} from '#shared/domain/disputes/dispute.model.ts';
import {
  answerOptions,
  assertAnswerable,
  disputeDueAt,
  EXPIRY_GRACE,
  isClosed,
  recordDisputed,
} from '#shared/domain/disputes/dispute.rules.ts';
import { DAY, HOUR, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';
import { randomBits } from '#shared/kernel/ids.ts';
import { anAttempt, aPayment } from '#test/support/payment.builder.ts';

const at = new Date('2031-03-13T12:00:00.000Z');
const FACTS = { canAccept: true, evidenceFields: ['explanation', 'tracking_number'] };
const deadline = plus(at, 9 * DAY).toISOString();

const found = (more: Partial<FoundDispute> = {}): FoundDispute => ({
  reference: 'du_1',
  paymentReference: 'pi_1',
  status: 'needs_response',
  amount: 5_000,
  currency: 'EUR',
  reason: 'fraudulent',
  provider_reason: '10.4',
  respond_by: deadline,
  ...more,
});

const of = { ...aPayment({ status: 'succeeded' }), connection_id: 'conn_1', provider: 'stripe' } as const;
const aDispute = (more: Partial<FoundDispute> = {}): Dispute => openDispute(of, found(more), at);
const types = ({ outbox }: Dispute): readonly string[] => outbox.map(({ type }) => type.replace('dispute.', ''));
const statusOf = (dispute: Dispute | undefined): DisputeStatus | undefined => dispute?.status;

describe('a dispute that is heard of', () => {
  it('has one id for all who hear of it, whenever they do', () => {
    const ids = [at, plus(at, DAY)].map((time) =>
      disputeId({ org_id: 'org_1', connection_id: 'conn_1' }, 'du_1', time),
    );
    expect(new Set(ids.map(randomBits)).size).toBe(1);
    for (const other of [
      { org_id: 'org_1', connection_id: 'conn_2' },
      { org_id: 'org_other', connection_id: 'conn_1' },
    ])
      expect(randomBits(disputeId(other, 'du_1', at))).not.toBe(randomBits(ids[0] ?? ''));
  });

  it.each(DISPUTE_STATUSES)('is announced as created, and as closed if it has ended (%s)', (status) => {
    const dispute = aDispute({ status });
    expect(types(dispute)).toEqual(isClosed(dispute) ? ['created', 'closed'] : ['created']);
    expect(dispute.closed_at).toBe(isClosed(dispute) ? at.toISOString() : null);
  });
});

describe('what the provider says of a dispute', () => {
  it.each<readonly [DisputeStatus, DisputeStatus, DisputeStatus, DisputeStatus]>([
    // known, said, after a look-up, after a report
    ['warning', 'needs_response', 'needs_response', 'needs_response'],
    ['warning', 'won', 'won', 'won'],
    ['needs_response', 'warning', 'warning', 'needs_response'],
    ['needs_response', 'under_review', 'under_review', 'under_review'],
    ['under_review', 'needs_response', 'needs_response', 'under_review'],
    ['under_review', 'lost', 'lost', 'lost'],
    ['won', 'under_review', 'under_review', 'won'],
    ['won', 'lost', 'lost', 'lost'],
    ['lost', 'won', 'won', 'won'],
    ['lost', 'needs_response', 'needs_response', 'lost'],
    ['accepted', 'lost', 'accepted', 'accepted'],
    ['expired', 'lost', 'expired', 'expired'],
    ['lost', 'expired', 'lost', 'lost'],
  ])('leads from %s, told %s, to %s by a look-up and to %s by a report', (known, said, lookedUp, reported) => {
    const dispute = aDispute({ status: known });
    const statusBy = (source: 'look_up' | 'report') =>
      statusOf(applyFound(dispute, found({ status: said }), source, at) ?? dispute);
    expect([statusBy('look_up'), statusBy('report')]).toEqual([lookedUp, reported]);
  });

  it('changes nothing and announces nothing when it is known', () =>
    expect(applyFound(aDispute(), found(), 'look_up', at)).toBeUndefined());

  it('announces a new amount, and an end as closed', () => {
    const changed = applyFound(aDispute(), found({ amount: 3_000 }), 'look_up', at) ?? aDispute();
    expect([changed.amount, types(changed)]).toEqual([3_000, ['created', 'updated']]);
    const ended = applyFound(changed, found({ amount: 3_000, status: 'won' }), 'look_up', at);
    expect(ended && types(ended)).toEqual(['created', 'updated', 'closed']);
  });

  it('keeps what it does not repeat: the charge, the deadline and the reason', () => {
    const silent = found({ status: 'under_review', paymentReference: null, reason: 'general', provider_reason: null });
    const { respond_by: _, ...rest } = silent;
    expect(applyFound(aDispute(), rest, 'report', at)).toMatchObject({
      charge_reference: 'pi_1',
      respond_by: deadline,
      reason: 'fraudulent',
      provider_reason: '10.4',
    });
  });

  it('closes a won dispute again when a second chargeback takes the money', () => {
    const won = aDispute({ status: 'won' });
    const later = plus(at, DAY);
    const lost = applyFound(won, found({ status: 'lost' }), 'report', later);
    expect(lost).toMatchObject({ status: 'lost', closed_at: later.toISOString() });
  });
});

describe('arbitration after a decision', () => {
  const won = aDispute({ status: 'won' });
  const arbitration = found({ respond_by: plus(at, 20 * DAY).toISOString(), reopens: true });

  it('opens the dispute once more, for an answer until the new deadline', () => {
    const opened = applyFound(won, arbitration, 'report', at);
    expect(opened).toMatchObject({ status: 'needs_response', closed_at: null, respond_by: arbitration.respond_by });
    expect(applyFound(won, { ...arbitration, reopens: undefined }, 'report', at)).toBeUndefined();
  });

  it('does so once: a late repeat of that report changes nothing, nor does one of a dispute that is lost', () => {
    const opened = applyFound(won, arbitration, 'report', at) ?? won;
    const wonAgain = applyFound(opened, found({ status: 'won' }), 'report', at) ?? opened;
    expect(applyFound(wonAgain, arbitration, 'report', at)).toBeUndefined();
    expect(applyFound(aDispute({ status: 'lost' }), arbitration, 'report', at)).toBeUndefined();
  });
});

describe('what a dispute withholds', () => {
  const charge = anAttempt({ id: 'att_1', status: 'succeeded', psp_reference: 'pi_1', connection_id: 'conn_1' });
  const payment = aPayment({
    status: 'succeeded',
    amount: 5_000,
    currency: 'EUR',
    connection_id: 'conn_1',
    psp_reference: 'pi_1',
    attempts: [charge],
  });

  it.each<readonly [DisputeStatus, number]>([
    ['warning', 0],
    ['needs_response', 2_000],
    ['under_review', 2_000],
    ['won', 0],
    ['lost', 2_000],
    ['accepted', 2_000],
    ['expired', 2_000],
  ])('while it is %s is %i of 2000', (status, amount_disputed) =>
    expect(recordDisputed(payment, aDispute({ status, amount: 2_000 }), at)).toMatchObject({ amount_disputed }),
  );

  it('is known once, and never more than the payment', () => {
    const once = recordDisputed(payment, aDispute(), at) ?? payment;
    expect(recordDisputed(once, aDispute(), at)).toBeUndefined();
    const twice = recordDisputed(once, aDispute({ reference: 'du_2' }), at);
    expect([once.amount_disputed, twice?.amount_disputed, twice?.disputes?.length]).toEqual([5_000, 5_000, 2]);
  });

  it('is the whole payment where its currency is another one', () =>
    expect(recordDisputed(payment, aDispute({ amount: 10, currency: 'USD' }), at)?.amount_disputed).toBe(5_000));

  it('is no more than what was captured of the payment, once that is known', () => {
    const later = { ...payment, capture: 'manual', authorized_amount: 5_000 } as const;
    const inDollars = aDispute({ currency: 'USD' });
    expect(recordDisputed({ ...later, captured_amount: 2_000 }, inDollars, at)?.amount_disputed).toBe(2_000);
    expect(recordDisputed({ ...later, captured_amount: 0 }, inDollars, at)?.amount_disputed).toBe(5_000);
  });

  it('is nothing of a payment whose second charge, which was refunded, is disputed', () => {
    const second = anAttempt({ id: 'att_2', status: 'succeeded', psp_reference: 'pi_2', connection_id: 'conn_1' });
    const both = { ...payment, attempts: [charge, second] };
    expect(recordDisputed(both, aDispute({ paymentReference: 'pi_2' }), at)?.amount_disputed).toBe(0);
  });
});

describe('an answer to a dispute', () => {
  const answer = { type: 'accept', fields: [], at: at.toISOString(), by: 'key_1' } as const;
  const reserved = reserveAnswer(aDispute(), answer, 'act_1');

  it.each<readonly [sentence: string, dispute: Dispute, fields: readonly string[], code: string]>([
    ['one that is under review', aDispute({ status: 'under_review' }), ['explanation'], 'dispute_not_answerable'],
    ['one that has ended', aDispute({ status: 'lost' }), ['explanation'], 'dispute_not_answerable'],
    [
      'one whose deadline is over',
      aDispute({ respond_by: at.toISOString() }),
      ['explanation'],
      'dispute_not_answerable',
    ],
    ['one with an answer on its way', reserved, ['explanation'], 'outcome_unknown'],
    ['one whose provider does not take the field', aDispute(), ['access_log'], 'invalid_request'],
  ])('is refused to %s', (_, dispute, fields, code) => {
    expect(() => assertAnswerable(dispute, { type: 'evidence', fields }, FACTS, at)).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it('is refused, with what to do instead, where the provider has no call for it', () => {
    const facts = { canAccept: false, evidenceFields: [] };
    for (const type of ['accept', 'evidence'] as const)
      expect(() => assertAnswerable(aDispute(), { type, fields: [] }, facts, at)).toThrow(
        expect.objectContaining({
          code: 'dispute_answer_unsupported',
          message: expect.stringContaining('in the dashboard of stripe'),
        }),
      );
  });

  it('is offered only while it would be taken', () => {
    expect(answerOptions(aDispute(), FACTS, at)).toEqual({ accept: true, evidence_fields: FACTS.evidenceFields });
    const nothing = { accept: false, evidence_fields: [] };
    expect(answerOptions(reserved, FACTS, at)).toEqual(nothing);
    expect(answerOptions(aDispute({ status: 'won' }), FACTS, at)).toEqual(nothing);
    expect(answerOptions(aDispute(), FACTS, new Date(deadline))).toEqual(nothing);
    expect(answerOptions(aDispute(), undefined, at)).toEqual(nothing);
  });

  it('is given once to an inquiry, which may stay one, and again once it is a dispute', () => {
    const evidence = { type: 'evidence', fields: ['explanation'], at: at.toISOString(), by: 'key_1' } as const;
    const answered: Dispute = { ...aDispute({ status: 'warning' }), answer: evidence };
    const nothing = { accept: false, evidence_fields: [] };
    expect(answerOptions(answered, FACTS, at)).toEqual(nothing);
    expect(() => assertAnswerable(answered, evidence, FACTS, at)).toThrow(
      expect.objectContaining({ code: 'dispute_not_answerable', message: expect.stringContaining('answer already') }),
    );
    expect(applyDeadline(answered, true, plus(deadline, -HOUR))).toBeUndefined();
    const escalated = applyFound(answered, found(), 'look_up', at) ?? answered;
    expect(answerOptions(escalated, FACTS, at).accept).toBe(true);
  });

  it('that the provider took is shown with who gave it, and accepting counts as accepted', () => {
    const done = recordAnswer(reserved, 'act_1', found({ status: 'lost' }), at);
    expect(done).toMatchObject({ status: 'accepted', answer, last_acts: ['act_1'] });
    expect(done).not.toHaveProperty('sending');
    expect(done && types(done)).toEqual(['created', 'closed']);
    expect(done && recordAnswer(done, 'act_1', found({ status: 'lost' }), at)).toBeUndefined();
  });

  it('that never reached the provider can be given again', () => {
    const released = releaseAnswer(reserved, 'act_1');
    expect(released).not.toHaveProperty('sending');
    expect(releaseAnswer(reserved, 'act_2')).toBeUndefined();
    expect(answerUnknown(reserved, 'act_2')).toBeUndefined();
  });

  it('without a response counts once the dispute has moved, and is forgotten after an hour', () => {
    const unknown = answerUnknown(reserved, 'act_1') ?? reserved;
    expect(settleUnknownAnswer(unknown, found(), plus(at, MINUTE))).toBeUndefined();
    expect(settleUnknownAnswer(unknown, found({ status: 'lost' }), plus(at, MINUTE))?.answer).toEqual(answer);
    expect(settleUnknownAnswer(unknown, undefined, plus(at, HOUR))).not.toHaveProperty('sending');
  });
});

describe('the deadline of a dispute', () => {
  const dayBefore = plus(deadline, -DAY);

  it('is announced once, in its last day', () => {
    expect(applyDeadline(aDispute(), true, plus(dayBefore, -SECOND))).toBeUndefined();
    const warned = applyDeadline(aDispute(), true, dayBefore);
    expect(warned && types(warned)).toEqual(['created', 'response_due']);
    expect(warned && applyDeadline(warned, true, plus(dayBefore, HOUR))).toBeUndefined();
  });

  it('is not announced where the dispute itself came in its last day, or has its answer', () => {
    expect(applyDeadline(aDispute({ respond_by: plus(at, HOUR).toISOString() }), true, at)).toBeUndefined();
    expect(applyDeadline(aDispute({ status: 'under_review' }), true, dayBefore)).toBeUndefined();
  });

  it('that a sweep missed is not announced afterwards', () => {
    const missed = applyDeadline(aDispute(), true, plus(deadline, HOUR));
    expect(missed && types(missed)).toEqual(['created']);
  });

  it('ends a dispute only where nobody else would say so', () => {
    const over = plus(deadline, EXPIRY_GRACE);
    expect(statusOf(applyDeadline(aDispute(), true, over))).not.toBe('expired');
    const expired = applyDeadline(aDispute(), false, over);
    expect([statusOf(expired), expired && types(expired)]).toEqual(['expired', ['created', 'closed']]);
  });

  it('leaves an inquiry open that nobody answered, as it took no money, and stops to ask for it after half a year', () => {
    const inquiry = aDispute({ status: 'warning' });
    const after = applyDeadline(inquiry, false, plus(deadline, EXPIRY_GRACE)) ?? inquiry;
    expect(after.status).toBe('warning');
    const dueAfter = (days: number) =>
      disputeDueAt({ ...after, outbox: [], warned_for: deadline, asked_at: plus(at, days * DAY).toISOString() });
    expect([dueAfter(179), dueAfter(181)]).toEqual([plus(at, 180 * DAY).toISOString(), undefined]);
  });

  it('decides when the timer looks at it, besides two look-ups a day', () => {
    const relayed = (dispute: Dispute): Dispute => ({ ...dispute, outbox: [] });
    expect(disputeDueAt(relayed(aDispute()))).toBe(plus(at, 12 * HOUR).toISOString());
    const asked = { ...relayed(aDispute()), asked_at: plus(dayBefore, -HOUR).toISOString() };
    expect(disputeDueAt(asked)).toBe(dayBefore.toISOString());
    expect(disputeDueAt(relayed(aDispute({ status: 'won' })))).toBeUndefined();
  });

  it.each([
    [{}, 12 * HOUR, DAY],
    [{ polled: true } as const, HOUR, DAY],
  ])('is looked up less often the longer nothing changes, and once a day at the least: %o', (told, first, last) => {
    const dispute = { ...openDispute({ ...of, ...told }, found({ status: 'under_review' }), at), outbox: [] };
    const intervalAfter = (age: number) => {
      const asked = plus(at, age);
      return Date.parse(disputeDueAt({ ...dispute, asked_at: asked.toISOString() }) ?? '') - asked.getTime();
    };
    expect([HOUR, 400 * DAY].map(intervalAfter)).toEqual([first, last]);
  });
});
