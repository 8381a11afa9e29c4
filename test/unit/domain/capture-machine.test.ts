import { describe, expect, it } from 'vitest';
import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { announceExpiry, beginRelease, markReleased } from '#shared/domain/payments/authorization.machine.ts';
import { assertCanRefund } from '#shared/domain/payments/capability.rules.ts';
import {
  giveUpUnsentCapture,
  leaseCapture,
  recordCaptureFailure,
  settleCapture,
} from '#shared/domain/payments/capture.machine.ts';
import { reserveCapture } from '#shared/domain/payments/capture-reservation.machine.ts';
import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { addsToPayment } from '#shared/domain/payments/idempotency-markers.rules.ts';
import { recordSlotOutcome } from '#shared/domain/payments/link-hold.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { dueTasksOf } from '#shared/domain/payments/reconciliation.rules.ts';
import { reserveRefund } from '#shared/domain/payments/refund.machine.ts';
import {
  applyAuthorization,
  applyReportedCapture,
  type ReportedAuthorization,
} from '#shared/domain/payments/reported-authorization.rules.ts';
import { closeReview } from '#shared/domain/payments/review.machine.ts';
import { aConnection, anAttempt, aPayment } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const UNTIL = later(7 * DAY).toISOString();
const ALL = { partial: true, multi: true };

const manual = (about: Partial<Payment> = {}): Payment =>
  aPayment({
    capture: 'manual',
    authorized_amount: null,
    captured_amount: 0,
    released_amount: 0,
    captures: [],
    ...about,
  });
const authorized = (about: Partial<Payment> = {}): Payment =>
  manual({ status: 'authorized', authorized_amount: 5_000, capturable_until: UNTIL, ...about });
const reserved = (amount: number, final = true, payment = authorized(), id = 'cap_1'): Payment =>
  reserveCapture(payment, { id, amount, final, leaseUntil: later(MINUTE) }, ALL, later(1));
const taken = (payment: Payment, id = 'cap_1', reference = `ref of ${id}`): Payment =>
  settleCapture(payment, id, { kind: 'succeeded', reference }, later(2)) ?? payment;
const failed = (payment: Payment, id = 'cap_1'): Payment =>
  settleCapture(payment, id, { kind: 'failed', reference: null, decline: declineOf('capture_declined') }, later(3)) ??
  payment;
/** The provider's own verdict, which names the capture. */
const denied = (payment: Payment, id = 'cap_1'): Payment =>
  settleCapture(
    payment,
    id,
    { kind: 'failed', reference: `ref of ${id}`, decline: declineOf('capture_declined') },
    later(3),
  ) ?? payment;
const amounts = ({ status, captured_amount, released_amount }: Payment) => [status, captured_amount, released_amount];
const newest = ({ outbox }: Payment) => outbox.map(({ type }) => type);
const report = (about: Partial<ReportedAuthorization>): ReportedAuthorization => ({
  reference: 'ref of att_1',
  authorized: 5_000,
  captured: 0,
  currency: 'USD',
  state: 'open',
  ...about,
});

describe('an authorization', () => {
  const verdict = {
    kind: 'authorized',
    reference: 'pi_1',
    amount: 5_000,
    currency: 'USD',
    capturable_until: UNTIL,
  } as const;

  it.each([
    ['authorized', verdict],
    ['succeeded', { ...verdict, kind: 'succeeded' } as const],
  ])('by the verdict %s makes a manual payment authorized', (_, said) => {
    const payment = settle(manual(), 'att_1', said, later(1));
    expect([payment?.status, payment?.attempts[0]?.status, payment && newest(payment)]).toEqual([
      'authorized',
      'authorized',
      ['payment.authorized'],
    ]);
  });

  it('of a part of the amount is said to be one', () => {
    const payment = settle(manual(), 'att_1', { ...verdict, amount: 4_000 }, later(1));
    expect([payment?.authorized_amount, payment?.partially_approved]).toEqual([4_000, true]);
  });

  it.each([
    ['more than the amount', { ...verdict, amount: 5_001 }],
    ['another currency', { ...verdict, currency: 'EUR' }],
  ])('of %s is reviewed', (_, said) => {
    const payment = settle(manual(), 'att_1', said, later(1));
    expect([payment?.status, payment?.review?.reason]).toEqual(['processing', 'amount_mismatch']);
  });

  it.each<[Payment['status'], string]>([
    ['canceled', 'after_cancel'],
    ['succeeded', 'duplicate_charge'],
    ['authorized', 'duplicate_charge'],
  ])('beside a payment that is %s is released, and not refunded', (status, reason) => {
    const second = anAttempt({ id: 'att_2', status: 'failed', phase: 'final', psp_reference: null });
    const [first = anAttempt()] = authorized({ status }).attempts;
    const payment = settle(
      authorized({ status, attempts: [first, second] }),
      'att_2',
      { ...verdict, reference: 'pi_2' },
      later(1),
    );
    expect([payment?.status, payment?.refunds]).toEqual([status, []]);
    expect(payment?.attempts[1]).toMatchObject({ status: 'authorized', release: { reason } });
    expect(dueTasksOf(payment ?? manual()).some(({ kind }) => kind === 'release')).toBe(true);
  });

  it('is reported again without any change', () => {
    expect(settle(authorized(), 'att_1', { ...verdict, reference: 'ref of att_1' }, later(5))).toBeUndefined();
  });

  it('that ends with nothing captured cancels the payment, or fails it if it has expired', () => {
    const canceled = markReleased(authorized(), 'att_1', 'cancel', later(1));
    const expired = markReleased(authorized(), 'att_1', 'expire', later(1));
    expect([canceled && amounts(canceled), expired && amounts(expired)]).toEqual([
      ['canceled', 0, 5_000],
      ['failed', 0, 5_000],
    ]);
    expect(expired?.failure?.code).toBe('authorization_expired');
  });

  it('that ends while a capture is pending waits for its verdict', () => {
    const pending = markReleased(reserved(2_000), 'att_1', 'expire', later(2)) ?? manual();
    expect(pending.status).toBe('authorized');
    expect(amounts(taken(pending))).toEqual(['succeeded', 2_000, 3_000]);
    expect(amounts(failed(pending))).toEqual(['failed', 0, 5_000]);
  });

  it('is not released while a capture is pending, nor captured while it is released', () => {
    expect(() => beginRelease(reserved(2_000), 'cancel', later(2))).toThrow(/pending/);
    const releasing = beginRelease(authorized(), 'cancel', later(1)) ?? manual();
    expect(() => reserved(100, true, releasing)).toThrow(/released/);
  });

  it.each(['cancel', 'expire'] as const)('that ended by %s is not brought back by a late report of it', (by) => {
    const ended = markReleased(authorized(), 'att_1', by, later(1)) ?? manual();
    for (const kind of ['succeeded', 'authorized'] as const)
      expect(settle(ended, 'att_1', { ...verdict, kind, reference: 'ref of att_1' }, later(2))).toBeUndefined();
    // Money that was taken before counts all the same.
    const taken = applyAuthorization(ended, 'att_1', report({ captured: 5_000, state: 'closed' }), later(3));
    expect(taken && [taken.status, taken.refunds.map(({ amount }) => amount)]).toEqual(
      by === 'cancel' ? ['canceled', [5_000]] : ['succeeded', []],
    );
  });

  it('of a link that was paid already goes back, also what a capture took meanwhile', () => {
    const { captures = [], ...held } = reserved(3_000);
    const overpaid = recordSlotOutcome({ ...held, captures, payment_link_id: 'pl_1' }, 'overpaid', later(2)) ?? held;
    const ended = taken(overpaid);
    expect([ended.status, ended.released_amount]).toEqual(['succeeded', 2_000]);
    expect(ended.refunds).toMatchObject([{ amount: 3_000, automatic: true, reason: 'link_overpaid' }]);
  });

  it('is announced once as expiring', () => {
    const payment = announceExpiry(authorized(), later(6 * DAY)) ?? manual();
    expect(newest(payment)).toEqual(['payment.authorization_expiring']);
    expect(announceExpiry(payment, later(6 * DAY + 1))).toBeUndefined();
  });

  it('of a link that was paid already is released, and the payment canceled', () => {
    const payment = recordSlotOutcome(authorized({ payment_link_id: 'plink_1' }), 'overpaid', later(1)) ?? manual();
    expect(payment.attempts[0]?.release?.reason).toBe('link_overpaid');
    expect(markReleased(payment, 'att_1', 'cancel', later(2))?.status).toBe('canceled');
  });
});

describe('a capture', () => {
  it.each<[string, Payment, number, string]>([
    ['of more than is left', reserved(4_000, false), 1_001, 'capture_exceeds_authorized'],
    ['after the final one', reserved(4_000), 1_000, 'payment_not_capturable'],
    ['of a succeeded payment', taken(reserved(4_000)), 1_000, 'payment_not_capturable'],
    ['of an automatic payment', aPayment({ status: 'succeeded' }), 1_000, 'payment_not_capturable'],
    ['after the end', authorized({ capturable_until: later(1).toISOString() }), 1, 'payment_not_capturable'],
  ])('%s is refused', (_, payment, amount, code) =>
    expect(() => reserved(amount, true, payment, 'cap_2')).toThrow(expect.objectContaining({ code })),
  );

  it('of all that is left is the final one', () => {
    expect(reserved(5_000, false).captures?.[0]?.final).toBe(true);
  });

  it('leads to the same payment in whatever order two of them are reported', () => {
    const both = reserved(3_000, true, reserved(1_000, false), 'cap_2');
    expect(amounts(taken(taken(both, 'cap_1'), 'cap_2'))).toEqual(['succeeded', 4_000, 1_000]);
    expect(amounts(taken(taken(both, 'cap_2'), 'cap_1'))).toEqual(['succeeded', 4_000, 1_000]);
    expect(amounts(taken(taken(both, 'cap_2'), 'cap_2'))).toEqual(['authorized', 3_000, 0]);
    expect(amounts(failed(taken(both, 'cap_1'), 'cap_2'))).toEqual(['authorized', 1_000, 0]);
  });

  it('that succeeded and then fails makes the payment capturable again', () => {
    const payment = denied(taken(reserved(5_000)));
    expect(amounts(payment)).toEqual(['authorized', 0, 0]);
    expect(newest(payment)).toEqual(['payment.captured', 'payment.succeeded', 'payment.capture_failed']);
    expect(amounts(taken(reserved(5_000, true, payment, 'cap_2'), 'cap_2'))).toEqual(['succeeded', 5_000, 0]);
  });

  it('that the provider itself says has failed stays so when its success is reported again, or late', () => {
    for (const before of [reserved(5_000), taken(reserved(5_000))]) {
      const payment = denied(before);
      expect(amounts(payment)).toEqual(['authorized', 0, 0]);
      expect(
        settleCapture(payment, 'cap_1', { kind: 'succeeded', reference: 'ref of cap_1' }, later(4)),
      ).toBeUndefined();
    }
  });

  it('that has succeeded stays so when its own send, or a repeat of it, is refused afterwards', () => {
    const paid = taken(reserved(5_000));
    expect(failed(paid)).toBe(paid);
  });

  it('that counts as failed and was made after all pays a failed payment late', () => {
    const given = failed(markReleased(reserved(2_000), 'att_1', 'expire', later(2)) ?? manual());
    expect(given.status).toBe('failed');
    expect([...amounts(taken(given)), taken(given).late_success]).toEqual(['succeeded', 2_000, 3_000, true]);
  });

  it('that was made after all is refunded if the payment was canceled', () => {
    const given = failed(markReleased(reserved(2_000), 'att_1', 'cancel', later(2)) ?? manual());
    const payment = taken(given);
    expect([payment.status, payment.refunds]).toMatchObject([
      'canceled',
      [{ amount: 2_000, automatic: true, reason: 'after_cancel' }],
    ]);
  });

  it('that could not be sent in time fails, and the authorization ends', () => {
    const unsent = settleCapture(reserved(2_000), 'cap_1', { kind: 'not_sent' }, later(2)) ?? manual();
    const tasks = dueTasksOf(unsent).map(({ kind }) => kind);
    expect(tasks).toContain('give_up_capture');
    expect(tasks).not.toContain('end_authorization');
    const ended = giveUpUnsentCapture(unsent, 'cap_1', later(7 * DAY)) ?? manual();
    expect(dueTasksOf(ended).map(({ kind }) => kind)).toContain('end_authorization');
  });

  it('is not reserved where the provider has taken more than our pending one leaves', () => {
    const pending = reserved(3_000, false);
    const foreign = { kind: 'succeeded', reference: 'their', amount: 4_000, currency: 'USD', ourId: null } as const;
    const over = applyReportedCapture(pending, 'att_1', foreign, later(2)) ?? pending;
    const next = { id: 'cap_2', final: false, leaseUntil: later(MINUTE) };
    expect(() => reserveCapture(over, next, ALL, later(3))).toThrow(
      expect.objectContaining({ code: 'capture_exceeds_authorized', details: { remaining: 0 } }),
    );
  });

  it('that fails after a refund leaves nothing to refund, and not less', () => {
    const paid = taken(reserved(5_000));
    const refunded = reserveRefund(paid, { id: 'ref_1', amount: 400 }, later(3));
    const unpaid = denied(refunded);
    expect(() => reserveRefund(unpaid, { id: 'ref_2' }, later(5))).toThrow(
      expect.objectContaining({ code: 'refund_exceeds_remaining' }),
    );
  });

  it('may be requested only while the record has room for its outcome', () => {
    const pending = reserved(1_000, false);
    expect([addsToPayment(authorized(), pending), addsToPayment(pending, taken(pending))]).toEqual([true, false]);
  });

  it('of a part can be refunded as a whole where a connection makes no partial refunds', () => {
    const paid = taken(reserved(3_000));
    const capabilities = { ...aConnection().capabilities, refunds: true, partial_refunds: false };
    expect(() => assertCanRefund({ id: 'conn_1', capabilities }, paid)).not.toThrow();
    expect(() => assertCanRefund({ id: 'conn_1', capabilities }, paid, 2_999)).toThrow('only as a whole');
  });

  it('is sent by one worker at a time', () => {
    expect(leaseCapture(reserved(100), 'cap_1', later(2 * MINUTE), later(2))).toBeUndefined();
    const again = leaseCapture(reserved(100), 'cap_1', later(3 * MINUTE), later(2 * MINUTE));
    expect(again?.captures?.[0]?.phase).toBe('unknown');
  });

  it('of an automatic payment that fails afterwards is announced and reviewed, once', () => {
    const failure = { reference: 'cap at psp', decline: declineOf('capture_declined'), amount: 5_000 };
    const payment = recordCaptureFailure(aPayment({ status: 'succeeded' }), failure, later(1)) ?? manual();
    expect([payment.status, payment.review?.reason, newest(payment)]).toEqual([
      'succeeded',
      'capture_failed',
      ['payment.capture_failed'],
    ]);
    expect(recordCaptureFailure({ ...payment, review: null }, failure, later(2))).toBeUndefined();
  });

  it('of an automatic payment is reviewed too where the payment was refunded meanwhile: it was given back in vain', () => {
    const failure = { reference: 'cap at psp', decline: declineOf('capture_declined'), amount: 5_000 };
    const payment = recordCaptureFailure(aPayment({ status: 'refunded', amount_refunded: 5_000 }), failure, later(1));
    expect([payment?.status, payment?.review?.reason]).toEqual(['refunded', 'capture_failed']);
    expect(recordCaptureFailure(aPayment({ status: 'failed' }), failure, later(1))).toBeUndefined();
  });
});

describe('a capture of an authorization that the payment may not keep', () => {
  const unwanted = (about: Partial<Payment> = {}) =>
    manual({
      status: 'canceled',
      attempts: [
        anAttempt({ status: 'authorized', release: { reason: 'duplicate_charge', since: later(0).toISOString() } }),
      ],
      ...about,
    });
  const closed = report({ captured: 5_000, state: 'closed' });

  it('is refunded once, however often the provider reports it', () => {
    const once = applyAuthorization(unwanted(), 'att_1', closed, later(1)) ?? manual();
    const twice = applyAuthorization(once, 'att_1', closed, later(2)) ?? once;
    expect(once.attempts[0]?.status).toBe('succeeded');
    expect(twice.refunds).toMatchObject([{ amount: 5_000, automatic: true, reason: 'duplicate_charge' }]);
  });

  it('is refunded once if it is reported in parts', () => {
    const part = { kind: 'succeeded', reference: 'a', amount: 2_000, currency: 'USD', ourId: null } as const;
    const first = applyReportedCapture(unwanted(), 'att_1', part, later(1)) ?? manual();
    const both = applyReportedCapture(first, 'att_1', { ...part, reference: 'b', amount: 500 }, later(2)) ?? manual();
    expect(both.refunds.map(({ amount }) => amount)).toEqual([2_000, 500]);
  });

  it('of a wrong amount is only recorded while a person reviews it, and refunded once it is canceled', () => {
    const verdict = { kind: 'authorized', reference: 'pi_1', amount: 6_000, currency: 'USD' } as const;
    const reviewed = settle(manual(), 'att_1', verdict, later(1)) ?? manual();
    const captured =
      applyAuthorization(
        reviewed,
        'att_1',
        report({ authorized: 6_000, captured: 6_000, state: 'closed' }),
        later(2),
      ) ?? reviewed;
    expect([captured.status, captured.captured_amount, captured.review?.reason]).toEqual([
      'processing',
      0,
      'amount_mismatch',
    ]);
    const canceled = closeReview(captured, 'op_1', later(3)) ?? captured;
    expect([canceled.status, canceled.refunds]).toMatchObject(['canceled', [{ amount: 6_000, automatic: true }]]);
    expect(closeReview(reviewed, 'op_1', later(3))?.attempts[0]).toMatchObject({
      status: 'authorized',
      release: { reason: 'after_cancel' },
    });
  });
});

describe('what a provider says of an authorization', () => {
  const unknown = (amount: number, final = true) =>
    settleCapture(reserved(amount, final), 'cap_1', { kind: 'unknown' }, later(2)) ?? manual();

  it.each<[string, Payment, Partial<ReportedAuthorization>, unknown[]]>([
    [
      'settles our capture by its id',
      unknown(2_000),
      {
        captured: 2_000,
        state: 'closed',
        captures: [{ kind: 'succeeded', reference: 'ch', amount: 2_000, currency: 'USD', ourId: 'cap_1' }],
      },
      ['succeeded', 2_000, 3_000],
    ],
    [
      'settles our capture by its amount, without ids',
      unknown(2_000),
      { captured: 2_000, state: 'closed' },
      ['succeeded', 2_000, 3_000],
    ],
    ['takes over what was captured there', authorized(), { captured: 700 }, ['authorized', 700, 0]],
    [
      'takes over the final capture made there',
      authorized(),
      { captured: 700, state: 'closed' },
      ['succeeded', 700, 4_300],
    ],
    [
      'takes over what was captured there beside ours',
      unknown(2_000, false),
      {
        captured: 2_700,
        captures: [
          { kind: 'succeeded', reference: 'ch', amount: 2_000, currency: 'USD', ourId: 'cap_1' },
          { kind: 'succeeded', reference: 'ch', amount: 700, currency: 'USD', ourId: null },
        ],
      },
      ['authorized', 2_700, 0],
    ],
    ['cancels the payment if it was voided there', authorized(), { state: 'canceled' }, ['canceled', 0, 5_000]],
    ['fails the payment if it has expired', authorized(), { state: 'expired' }, ['failed', 0, 5_000]],
    ['fails our capture if nothing was captured', unknown(2_000), { state: 'canceled' }, ['canceled', 0, 5_000]],
  ])('%s', (_, payment, about, expected) => {
    const applied = applyAuthorization(payment, 'att_1', report(about), later(3)) ?? payment;
    expect(amounts(applied)).toEqual(expected);
    expect(applyAuthorization(applied, 'att_1', report(about), later(4))).toBeUndefined();
  });

  it('waits for our pending capture, if it may be a part of what was captured', () => {
    expect(
      amounts(
        applyAuthorization(unknown(2_000, false), 'att_1', report({ captured: 2_700 }), later(3)) ??
          unknown(2_000, false),
      ),
    ).toEqual(['authorized', 0, 0]);
  });

  it('may extend it', () => {
    const until = later(20 * DAY).toISOString();
    const applied = applyAuthorization(authorized(), 'att_1', report({ capturable_until: until }), later(3));
    expect(applied?.capturable_until).toBe(until);
  });

  it('in another currency counts for nothing', () => {
    expect(
      applyAuthorization(authorized(), 'att_1', report({ captured: 700, currency: 'EUR' }), later(3)),
    ).toBeUndefined();
  });

  it('by an event that names a capture of ours, or one of its own, counts once', () => {
    const foreign = { kind: 'succeeded', reference: 'their', amount: 300, currency: 'USD', ourId: null } as const;
    const once = applyReportedCapture(authorized(), 'att_1', foreign, later(1)) ?? manual();
    expect(amounts(once)).toEqual(['authorized', 300, 0]);
    expect(applyReportedCapture(once, 'att_1', foreign, later(2))).toBeUndefined();
  });
});
