import { describe, expect, it } from 'vitest';
import { isHard } from '#shared/domain/billing/dunning.rules.ts';
import {
  beginTry,
  draftInvoice,
  failTry,
  markCanceled,
  openInvoice,
  parkTry,
  payInvoice,
  putOffTry,
} from '#shared/domain/billing/invoice.machine.ts';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { invoiceDueAt, shownInvoice } from '#shared/domain/billing/invoice.rules.ts';
import { asksOfInvoice, noteUnwanted } from '#shared/domain/billing/invoice-payment.rules.ts';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import { HOUR, MINUTE, plus } from '#shared/kernel/clock.ts';
import { aPayment } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';
import { anInvoice, aSubscription } from '#test/support/subscription.builder.ts';

const policy = { delays: ['1h', '2h'], max_retries: 3 };
const soft = { final: false, policy };
const hard = { final: true, policy };
const first = { payment_id: 'pay_1', method_version: 1 };
const types = ({ outbox }: Invoice) => outbox.map(({ type }) => type);
const trying = (about: Partial<Invoice> = {}, by?: string) =>
  beginTry(anInvoice(about), { ...first, ...(by && { by }) }, START);

describe('an invoice', () => {
  it('is of the period that begins, and says which one of its subscription', () => {
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

  it('is announced with its first try on the way', () => {
    const opened = openInvoice(anInvoice(), first, START);
    expect(types(opened)).toEqual(['invoice.created']);
    expect(opened.outbox[0]?.was).toMatchObject({ attempts: 1, payment_id: 'pay_1', status: 'open' });
    expect(opened.outbox[0]?.was).not.toHaveProperty('trying');
  });

  it('is tried again by the policy, whose last delay repeats, until it has failed', () => {
    const plans: (string | null)[] = [];
    let invoice = trying();
    for (let n = 0; n < 4; n += 1) {
      invoice = failTry(invoice, soft, START);
      plans.push(invoice.next_retry_at);
      if (invoice.status === 'open') invoice = beginTry(invoice, first, START);
    }
    expect(plans).toEqual(
      [plus(START, HOUR), plus(START, 2 * HOUR), plus(START, 2 * HOUR), null].map((at) => at?.toISOString() ?? null),
    );
    expect(invoice).toMatchObject({ status: 'failed', attempts: 4 });
    expect(types(invoice)).toEqual(['invoice.failed']);
  });

  it('has failed at once after a hard decline, or without retries', () => {
    expect(failTry(trying(), hard, START).status).toBe('failed');
    expect(failTry(trying(), { final: false, policy: { delays: [], max_retries: 3 } }, START).status).toBe('failed');
    expect(failTry(trying(), { final: false, policy: { delays: ['1h'], max_retries: 0 } }, START).status).toBe(
      'failed',
    );
  });

  it('keeps what the policy has planned beside a try that was asked for', () => {
    const planned = plus(START, HOUR).toISOString();
    const asked = trying({ next_retry_at: planned, retries: 1 }, 'req_1');
    expect(asked).toMatchObject({
      next_retry_at: null,
      planned_at: planned,
      trying: { number: 1, by: 'req_1' },
      last_acts: ['req_1'],
    });
    const failed = failTry(asked, soft, later(5));
    expect(failed).toMatchObject({ next_retry_at: planned, retries: 1, status: 'open' });
    expect(failed).not.toHaveProperty('planned_at');
    expect(failed).not.toHaveProperty('trying');
  });

  it('that has failed stays so when a try that was asked for fails, without another word', () => {
    const again = failTry(trying({ status: 'failed' }, 'req_1'), soft, START);
    expect(again).toMatchObject({ status: 'failed', next_retry_at: null });
    expect(types(again)).toEqual([]);
  });

  it('is paid once, whatever stood before, and renews its subscription but for the first', () => {
    const subscription = aSubscription();
    for (const status of ['open', 'failed'] as const) {
      const paid = payInvoice(
        trying({ status, renews: true, next_retry_at: later(9).toISOString() }),
        'pay_2',
        subscription,
        START,
      ) as Invoice;
      expect(paid).toMatchObject({ status: 'paid', payment_id: 'pay_2', next_retry_at: null });
      expect(types(paid)).toEqual(['invoice.paid', 'subscription.renewed']);
      expect(paid.outbox[1]?.was).toMatchObject({ id: subscription.id, status: 'active' });
      expect(payInvoice(paid, 'pay_3', subscription, START)).toBeUndefined();
    }
    expect(types(payInvoice(trying(), 'pay_1', undefined, START) as Invoice)).toEqual(['invoice.paid']);
    expect(payInvoice(anInvoice({ status: 'canceled' }), 'pay_1', subscription, START)).toBeUndefined();
  });

  it('is canceled unless it is paid', () => {
    const canceled = markCanceled(trying(), START) as Invoice;
    expect(canceled).toMatchObject({ status: 'canceled', next_retry_at: null });
    expect(types(canceled)).toEqual(['invoice.canceled']);
    expect(markCanceled(canceled, START)).toBeUndefined();
    expect(() => markCanceled(anInvoice({ status: 'paid' }), START)).toThrow('Refund its payment');
  });

  it('is due when its next try is, or when its events have waited for long', () => {
    expect(invoiceDueAt(trying())).toBeUndefined();
    expect(invoiceDueAt(putOffTry(anInvoice(), later(60_000), START))).toBe(later(60_000).toISOString());
    expect(invoiceDueAt(openInvoice(anInvoice(), first, START))).toBe(plus(START, 5 * MINUTE).toISOString());
    expect(invoiceDueAt(anInvoice({ status: 'failed', next_retry_at: START.toISOString() }))).toBeUndefined();
  });

  it('parks a try once', () => {
    const parked = parkTry(trying()) as Invoice;
    expect(parked.trying?.parked).toBe(true);
    expect(parkTry(parked)).toBeUndefined();
    expect(parkTry(anInvoice())).toBeUndefined();
  });

  it('shows what the interface says, and nothing else', () => {
    expect(Object.keys(shownInvoice(trying())).sort()).toEqual(
      'amount attempts created_at currency customer_id id next_retry_at number org_id payment_id period_end period_start plan_id status subscription_id updated_at'.split(
        ' ',
      ),
    );
  });
});

describe("an invoice's payment", () => {
  it('asks it to be paid, or to count a failure; a payment of nobody asks nothing', () => {
    const of = { invoice_id: 'inv_1' };
    expect(asksOfInvoice(aPayment({ ...of, status: 'succeeded' }))).toBe('pay');
    expect(asksOfInvoice(aPayment({ ...of, status: 'failed' }))).toBe('fail');
    expect(asksOfInvoice(aPayment({ ...of, status: 'canceled' }))).toBe('fail');
    for (const status of ['created', 'processing', 'requires_action'] as const)
      expect(asksOfInvoice(aPayment({ ...of, status }))).toBeUndefined();
    expect(asksOfInvoice(aPayment({ status: 'succeeded' }))).toBeUndefined();
  });

  it('that is not wanted goes back once', () => {
    const paid = aPayment({ invoice_id: 'inv_1', status: 'succeeded' });
    const noted = noteUnwanted(paid, 'after_cancel', START);
    expect(noted?.invoice_unwanted).toBe(true);
    expect(noted && noteUnwanted(noted, 'after_cancel', START)).toBeUndefined();
  });

  it('is declined for good by hard declines and fraud alone', () => {
    const failed = (code: Parameters<typeof declineOf>[0]) =>
      isHard({ status: 'failed', failure: failureOf(declineOf(code)), fraud: null });
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
    expect(isHard({ status: 'canceled', failure: null, fraud: null })).toBe(false);
  });

  it('is declined for good where its provider says that it must not be tried again, whatever the decline', () => {
    expect(
      isHard({ status: 'failed', failure: failureOf(declineOf('do_not_honor', null, 'never')), fraud: null }),
    ).toBe(true);
  });

  it('is not declined for good by a window of the fraud policy, which has room again later', () => {
    const blocked = (reasons: readonly string[]) =>
      isHard({
        status: 'failed',
        failure: failureOf(declineOf('fraud_blocked')),
        fraud: { decision: 'blocked', reasons },
      });
    expect(blocked(['velocity_customer_id'])).toBe(false);
    expect(blocked(['velocity_customer_id', 'blocked_country'])).toBe(true);
  });
});
