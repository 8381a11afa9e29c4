import { describe, expect, it } from 'vitest';
import {
  draftInvoice,
  failCollection,
  markCanceled,
  markPaid,
  openInvoice,
  parkCollection,
  postponeRetry,
  startCollection,
} from '#shared/domain/billing/invoice.machine.ts';
import { type Invoice, invoiceDueAt, toPublicInvoice } from '#shared/domain/billing/invoice.model.ts';
import {
  type DunningStep,
  endsDunning,
  invoiceOutcome,
  nextDunningStep,
  refundUnwanted,
} from '#shared/domain/billing/invoice-payment.rules.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { HOUR, MINUTE, plus } from '#shared/kernel/clock.ts';
import { aFailure, aPayment } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';
import { anInvoice, aSubscription } from '#test/support/subscription.builder.ts';

const policy = { delays: ['1h', '2h'], max_retries: 3 };
const soft = { final: false, policy };
const hard = { final: true, policy };
const first = { payment_id: 'pay_1', method_version: 1 };
const types = ({ outbox }: Invoice) => outbox.map(({ type }) => type);
const trying = (about: Partial<Invoice> = {}, by?: string) =>
  startCollection(anInvoice(about), { ...first, ...(by && { by }) }, START);

describe('an invoice', () => {
  it('covers the due period, and is numbered within its subscription', () => {
    const subscription = aSubscription({ start_at: '2026-01-31T00:00:00.000Z', next_period: 1, invoices: 41 });
    const invoice = draftInvoice(subscription, later(0));
    expect(invoice).toMatchObject({
      period_start: '2026-02-28T00:00:00.000Z',
      period_end: '2026-03-31T00:00:00.000Z',
      renews: true,
      attempts: 0,
    });
    expect(invoice.number).toMatch(/^[0-9A-Z]{8}-0042$/);
    expect(draftInvoice(aSubscription({ next_period: 3, invoices: 0 }), later(0)).renews).toBe(false);
  });

  it('is announced with its first attempt running', () => {
    const opened = openInvoice(anInvoice(), first, START);
    expect(types(opened)).toEqual(['invoice.created']);
    expect(opened.outbox[0]?.was).toMatchObject({ attempts: 1, payment_id: 'pay_1', status: 'open' });
    expect(opened.outbox[0]?.was).not.toHaveProperty('trying');
  });

  it('is retried by the policy, whose last delay repeats, until it fails', () => {
    const plans: (string | null)[] = [];
    let invoice = trying();
    for (let n = 0; n < 4; n += 1) {
      invoice = failCollection(invoice, soft, START);
      plans.push(invoice.next_retry_at);
      if (invoice.status === 'open') invoice = startCollection(invoice, first, START);
    }
    expect(plans).toEqual(
      [plus(START, HOUR), plus(START, 2 * HOUR), plus(START, 2 * HOUR), null].map((at) => at?.toISOString() ?? null),
    );
    expect(invoice).toMatchObject({ status: 'failed', attempts: 4 });
    expect(types(invoice)).toEqual(['invoice.failed']);
  });

  it('fails at once after a hard decline, or without retries', () => {
    expect(failCollection(trying(), hard, START).status).toBe('failed');
    expect(failCollection(trying(), { final: false, policy: { delays: [], max_retries: 3 } }, START).status).toBe(
      'failed',
    );
    expect(failCollection(trying(), { final: false, policy: { delays: ['1h'], max_retries: 0 } }, START).status).toBe(
      'failed',
    );
  });

  it('keeps the planned retry during a requested attempt', () => {
    const planned = plus(START, HOUR).toISOString();
    const asked = trying({ next_retry_at: planned, retries: 1 }, 'req_1');
    expect(asked).toMatchObject({
      next_retry_at: null,
      planned_at: planned,
      trying: { number: 1, by: 'req_1' },
      last_acts: ['req_1'],
    });
    const failed = failCollection(asked, soft, later(5));
    expect(failed).toMatchObject({ next_retry_at: planned, retries: 1, status: 'open' });
    expect(failed).not.toHaveProperty('planned_at');
    expect(failed).not.toHaveProperty('trying');
  });

  it('stays failed without another event if a requested attempt fails', () => {
    const again = failCollection(trying({ status: 'failed' }, 'req_1'), soft, START);
    expect(again).toMatchObject({ status: 'failed', next_retry_at: null });
    expect(types(again)).toEqual([]);
  });

  it('is paid once from any state, and renews its subscription unless it is the first', () => {
    const subscription = aSubscription();
    for (const status of ['open', 'failed'] as const) {
      const paid = markPaid(
        trying({ status, renews: true, next_retry_at: later(9).toISOString() }),
        'pay_2',
        subscription,
        START,
      ) as Invoice;
      expect(paid).toMatchObject({ status: 'paid', payment_id: 'pay_2', next_retry_at: null });
      expect(types(paid)).toEqual(['invoice.paid', 'subscription.renewed']);
      expect(paid.outbox[1]?.was).toMatchObject({ id: subscription.id, status: 'active' });
      expect(markPaid(paid, 'pay_3', subscription, START)).toBeUndefined();
    }
    expect(types(markPaid(trying(), 'pay_1', undefined, START) as Invoice)).toEqual(['invoice.paid']);
    expect(markPaid(anInvoice({ status: 'canceled' }), 'pay_1', subscription, START)).toBeUndefined();
  });

  it('can be canceled unless it is paid', () => {
    const canceled = markCanceled(trying(), START) as Invoice;
    expect(canceled).toMatchObject({ status: 'canceled', next_retry_at: null });
    expect(types(canceled)).toEqual(['invoice.canceled']);
    expect(markCanceled(canceled, START)).toBeUndefined();
    expect(() => markCanceled(anInvoice({ status: 'paid' }), START)).toThrow('Refund its payment');
  });

  it('is due at its next retry, or when its events have waited for long', () => {
    expect(invoiceDueAt(trying())).toBeUndefined();
    expect(invoiceDueAt(postponeRetry(anInvoice(), later(60_000), START))).toBe(later(60_000).toISOString());
    expect(invoiceDueAt(openInvoice(anInvoice(), first, START))).toBe(plus(START, 5 * MINUTE).toISOString());
    expect(invoiceDueAt(anInvoice({ status: 'failed', next_retry_at: START.toISOString() }))).toBeUndefined();
  });

  it('parks an attempt once', () => {
    const parked = parkCollection(trying()) as Invoice;
    expect(parked.trying?.parked).toBe(true);
    expect(parkCollection(parked)).toBeUndefined();
    expect(parkCollection(anInvoice())).toBeUndefined();
  });

  it('shows the fields of the API, and nothing else', () => {
    expect(Object.keys(toPublicInvoice(trying())).sort()).toEqual(
      'amount attempts created_at currency customer_id id next_retry_at number org_id payment_id period_end period_start plan_id status subscription_id updated_at'.split(
        ' ',
      ),
    );
  });
});

describe("an invoice's payment", () => {
  it('pays its invoice or fails an attempt; a payment without an invoice does neither', () => {
    const of = { invoice_id: 'inv_1' };
    expect(invoiceOutcome(aPayment({ ...of, status: 'succeeded' }))).toBe('paid');
    expect(invoiceOutcome(aPayment({ ...of, status: 'failed' }))).toBe('failed');
    expect(invoiceOutcome(aPayment({ ...of, status: 'canceled' }))).toBe('failed');
    for (const status of ['created', 'processing', 'requires_action'] as const)
      expect(invoiceOutcome(aPayment({ ...of, status }))).toBeUndefined();
    expect(invoiceOutcome(aPayment({ status: 'succeeded' }))).toBeUndefined();
  });

  it('is refunded once if the invoice does not need it', () => {
    const paid = aPayment({ invoice_id: 'inv_1', status: 'succeeded' });
    const noted = refundUnwanted(paid, 'after_cancel', START);
    expect(noted?.invoice_unwanted).toBe(true);
    expect(noted && refundUnwanted(noted, 'after_cancel', START)).toBeUndefined();
  });

  it('ends dunning for hard declines and suspected fraud', () => {
    const failed = (code: Parameters<typeof declineOf>[0]) =>
      endsDunning({ status: 'failed', failure: failureOf(declineOf(code)), fraud: null });
    expect(
      ['lost_card', 'expired_card', 'fraud_suspected', 'authorization_revoked'].map((code) =>
        failed(code as 'lost_card'),
      ),
    ).toEqual([true, true, true, true]);
    expect(
      ['insufficient_funds', 'no_route', 'provider_unavailable', 'expired', 'authentication_required'].map((c) =>
        failed(c as 'expired'),
      ),
    ).toEqual(Array(5).fill(false));
    expect(endsDunning({ status: 'canceled', failure: null, fraud: null })).toBe(false);
  });

  it.each([
    ['the PSP asks for another method', 'card_declined', 'new_method', true],
    ['advice asks for another method, though time might help', 'insufficient_funds', 'new_method', true],
    ['the customer must call the issuer', 'call_issuer', undefined, true],
    ['the PIN was tried too often', 'incorrect_pin', 'new_method', true],
    ['the PSP says to try again, though the customer should call', 'call_issuer', 'retry_same_later', false],
    ['an authentication is missing', 'authentication_required', undefined, false],
    ['the account has too little', 'insufficient_funds', undefined, false],
  ] as const)('ends dunning only where the same method must not be charged again: %s', (_, code, advice, ends) => {
    const failure = failureOf(declineOf(code, null, advice));
    const stored = JSON.parse(JSON.stringify(failure));
    expect([failure, stored].map((each) => endsDunning({ status: 'failed', failure: each, fraud: null }))).toEqual([
      ends,
      ends,
    ]);
  });

  it('does not end dunning for a reason that nobody knows', () => {
    const failure = failureOf(declineOf('card_declined', 'new_reason', 'retry_same_later'));
    expect(endsDunning({ status: 'failed', failure, fraud: null })).toBe(false);
    expect(failure.retryable).toBe(true);
  });

  it('ends dunning if the provider forbids a retry, whatever the code', () => {
    expect(
      endsDunning({ status: 'failed', failure: failureOf(declineOf('do_not_honor', null, 'never')), fraud: null }),
    ).toBe(true);
  });

  it('does not end dunning if a velocity rule blocked it, which may allow it later', () => {
    const blocked = (reasons: readonly string[]) =>
      endsDunning({
        status: 'failed',
        failure: failureOf(declineOf('fraud_blocked')),
        fraud: { decision: 'blocked', reasons },
      });
    expect(blocked(['velocity_customer_id'])).toBe(false);
    expect(blocked(['velocity_customer_id', 'blocked_country'])).toBe(true);
  });
});

describe('a due retry', () => {
  const softDecline = { status: 'failed', failure: aFailure('insufficient_funds') } as const;
  const hardDecline = { status: 'failed', failure: aFailure('lost_card') } as const;
  const saved = { sealed_method: 'sealed' };

  it.each<[string, Partial<Subscription>, Partial<Payment>, DunningStep]>([
    ['collects the invoice after a soft decline', saved, softDecline, 'collect'],
    ['collects the invoice after a canceled payment', saved, { status: 'canceled' }, 'collect'],
    [
      'collects the invoice after a hard decline with another card',
      { ...saved, method_version: 2 },
      hardDecline,
      'collect',
    ],
    ['exhausts dunning after a hard decline with the same card', saved, hardDecline, 'exhaust'],
    ['waits for a payment without an outcome', saved, { status: 'processing' }, 'wait'],
    [
      'waits for a review',
      saved,
      { ...softDecline, review: { reason: 'amount_mismatch' } as Payment['review'] },
      'wait',
    ],
    ['settles a payment that succeeded otherwise', saved, { status: 'succeeded', invoice_id: 'inv_1' }, 'settle'],
    [
      'waits for a resume while the subscription is paused',
      { ...saved, status: 'paused' },
      softDecline,
      'wait_for_resume',
    ],
    ['cancels the invoice of a closed subscription', { status: 'canceled' }, softDecline, 'cancel'],
    [
      'collects the invoice of an ended subscription',
      { ...saved, status: 'canceled', settles_at: 'x' },
      softDecline,
      'collect',
    ],
  ])('%s', (_, subscription, payment, expected) =>
    expect(nextDunningStep(anInvoice(), aSubscription(subscription), aPayment({ attempts: [], ...payment }))).toBe(
      expected,
    ),
  );
});
