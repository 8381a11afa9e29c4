import {
  byOrganization,
  type ChargesByOrganization,
  chargeOfPeriod,
  type PeriodCharge,
} from '#lib/recovery/period-charge.ts';
import type { FoundCharge, Knowable, RenewalResult } from '#lib/recovery/recovery-report.ts';
import { draftInvoice, openInvoice } from '#shared/domain/billing/invoice.machine.ts';
import { pauseSubscription, postponeBilling, startPeriod } from '#shared/domain/billing/subscription.machine.ts';
import { nextBillingAt, type Subscription, withTermsOfDuePeriod } from '#shared/domain/billing/subscription.model.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { idTime } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type SettleInvoiceDeps, settleInvoice } from '#shared/services/billing/settle-invoice.service.ts';

export type RenewalDeps = SettleInvoiceDeps & Pick<Deps, 'due' | 'clock'>;

/** What could not be read, by connection: whether a renewal was charged there is not known, or not yet. */
export type Unread = ReadonlyMap<string, Knowable>;

type Plan = {
  /** Only its subscriptions: nobody asked the providers of others. */
  readonly orgId: string | undefined;
  readonly until: Date;
  readonly charges: readonly FoundCharge[];
  readonly unread: Unread;
  readonly write: boolean;
};

/**
 * Subscriptions that were due before the restore may have been charged: the records of that were lost, and the next
 * sweep would charge them again. A period whose charge was found is billed with it. Where charges cannot be known, the
 * subscription is paused for a person to decide.
 */
export async function recoverRenewals(plan: Plan, deps: RenewalDeps): Promise<readonly RenewalResult[]> {
  const found = byOrganization(plan.charges);
  const results: RenewalResult[] = [];
  for (const id of await dueSubscriptions(plan.until, deps)) {
    const subscription = await deps.subscriptions.byId(id);
    const isAsked = plan.orgId === undefined || subscription?.org_id === plan.orgId;
    if (subscription && isAsked) results.push(...(await recoverRenewal(subscription, found, plan, deps)));
  }
  return results;
}

async function dueSubscriptions(until: Date, { due }: Pick<Deps, 'due'>): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const shard of due.shards)
    for (let page = await due.due(shard, until, PAGE_SIZE); page.length > 0; ) {
      for (const { kind, id } of page) if (kind === 'subscription') ids.add(id);
      page = page.length < PAGE_SIZE ? [] : await due.due(shard, until, PAGE_SIZE, page.at(-1));
    }
  return [...ids];
}

const PAGE_SIZE = 500;

/** After an outage several periods may have been charged. */
async function recoverRenewal(
  subscription: Subscription,
  found: ChargesByOrganization,
  plan: Plan,
  deps: RenewalDeps,
): Promise<readonly RenewalResult[]> {
  const results: RenewalResult[] = [];
  let current = subscription;
  for (;;) {
    const due_at = nextBillingAt(current);
    if (current.status !== 'active' || due_at === undefined || due_at >= plan.until.toISOString()) return results;
    const base = { subscription_id: current.id, org_id: current.org_id, due_at };
    const charge = chargeOfPeriod(current, found) ?? (await chargeUnderWay(current, deps));
    if (charge?.kind !== 'charged') return [...results, await withoutCharge(current, charge, base, plan, deps)];
    results.push({ ...base, result: 'billed', payment_id: charge.paymentId });
    const billed = plan.write && (await billWith(charge, current, deps));
    if (!billed) return results;
    current = billed;
  }
}

/**
 * A renewal is written as a whole, but replicated record by record: after a change of regions the invoice of a period
 * may be there, and its subscription still be due. Its payment goes on by itself, so the period must not be charged
 * again.
 */
async function chargeUnderWay(
  subscription: Subscription,
  { invoices }: Pick<Deps, 'invoices'>,
): Promise<PeriodCharge | undefined> {
  const { number } = draftInvoice(withTermsOfDuePeriod(subscription), new Date(0));
  const { items } = await invoices.list(subscription.org_id, { subscription_id: subscription.id, limit: 1, offset: 0 });
  const begun = items.find((invoice) => invoice.number === number);
  return begun?.payment_id ? { kind: 'charged', paymentId: begun.payment_id, billedAt: idTime(begun.id) } : undefined;
}

/**
 * As a renewal does it, with the payment that has been made already. Its invoice has its old id, and may be there: see
 * `chargeUnderWay`. Undefined if a concurrent change came first.
 */
async function billWith(
  { paymentId, billedAt }: Extract<PeriodCharge, { kind: 'charged' }>,
  subscription: Subscription,
  deps: RenewalDeps,
): Promise<Subscription | undefined> {
  const payment = await deps.payments.byId(paymentId);
  const at = billedAt ?? deps.clock.now();
  const draft = draftInvoice(withTermsOfDuePeriod(subscription), at);
  const id = payment?.invoice_id ?? draft.id;
  const stored = await deps.invoices.byId(id);
  if (!payment && !stored) return undefined;
  const { method_version } = subscription;
  const invoice = stored ?? openInvoice({ ...draft, id }, { payment_id: paymentId, method_version }, at);
  const isWritten = await deps.billing.commit({
    subscription: { before: subscription, after: startPeriod(subscription, id, undefined, at) },
    invoice: { ...(stored && { before: stored }), after: invoice },
    ...(payment && payment.invoice_id === undefined && { payment: linked(payment, id, subscription) }),
  });
  if (!isWritten) return undefined;
  const written = await deps.payments.byId(paymentId);
  if (written) await settleInvoice(written, deps);
  return deps.subscriptions.byId(subscription.id);
}

/** A payment that was made again from its charge becomes that of the invoice. */
function linked(payment: Payment, invoice_id: string, { customer_id, method, metadata }: Subscription) {
  const after: Payment = { ...payment, invoice_id, invoice_try: 1, off_session: true, customer_id, method, metadata };
  return { before: payment, after };
}

/** How long a renewal waits for a provider whose list is not complete yet. */
const WAIT_FOR_LIST = DAY;

type Base = Pick<RenewalResult, 'subscription_id' | 'org_id' | 'due_at'>;

async function withoutCharge(
  subscription: Subscription,
  charge: Extract<PeriodCharge, { kind: 'unclear' }> | undefined,
  base: Base,
  { unread, write }: Plan,
  deps: RenewalDeps,
): Promise<RenewalResult> {
  const known = charge?.known ?? knowledgeOf(subscription, unread);
  if (known === undefined) return { ...base, result: 'not_charged' };
  const at = deps.clock.now();
  const decide = (s: Subscription) =>
    known === 'never' ? pauseSubscription(s, at) : postponeBilling(s, plus(at, WAIT_FOR_LIST));
  if (write) await deps.subscriptions.change(subscription, decide);
  return { ...base, result: known === 'never' ? 'paused' : 'postponed' };
}

/** Its token belongs to one connection. Without one, any connection of the organization may have charged it. */
function knowledgeOf({ token_of, org_id }: Subscription, unread: Unread): Knowable | undefined {
  if (token_of) return unread.get(token_of.connection_id);
  const ofOrganization = [...unread].filter(([key]) => key.startsWith(`${org_id} `)).map(([, known]) => known);
  return ofOrganization.includes('never') ? 'never' : ofOrganization[0];
}

/** An entry for the connection, and one for its organization. */
export const unreadKeys = (orgId: string, connectionId: string): readonly string[] => [
  connectionId,
  `${orgId} ${connectionId}`,
];
