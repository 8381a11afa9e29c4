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
    const charge = chargeOfPeriod(current, found);
    if (charge?.kind !== 'charged') return [...results, await withoutCharge(current, charge, base, plan, deps)];
    results.push({ ...base, result: 'billed', payment_id: charge.paymentId });
    const payment = plan.write ? await deps.payments.byId(charge.paymentId) : undefined;
    const isOpen = payment && payment.invoice_id === undefined;
    const billed = isOpen && (await billWith(payment, current, charge.billedAt ?? deps.clock.now(), deps));
    if (!billed) return results;
    current = billed;
  }
}

/**
 * As a renewal does it, with the payment that has been made already. `at`: when the period was billed then, so that its
 * invoice has its old id. Undefined if a concurrent change came first.
 */
async function billWith(
  payment: Payment,
  subscription: Subscription,
  at: Date,
  deps: RenewalDeps,
): Promise<Subscription | undefined> {
  const draft = draftInvoice(withTermsOfDuePeriod(subscription), at);
  const invoice = openInvoice(draft, { payment_id: payment.id, method_version: subscription.method_version }, at);
  const ofInvoice: Payment = {
    ...payment,
    invoice_id: invoice.id,
    invoice_try: 1,
    off_session: true,
    customer_id: subscription.customer_id,
    method: subscription.method,
    metadata: subscription.metadata,
  };
  const after = startPeriod(subscription, invoice.id, undefined, at);
  const isWritten = await deps.billing.commit({
    subscription: { before: subscription, after },
    invoice: { after: invoice },
    payment: { before: payment, after: ofInvoice },
  });
  if (!isWritten) return undefined;
  await settleInvoice((await deps.payments.byId(payment.id)) ?? ofInvoice, deps);
  return deps.subscriptions.byId(subscription.id);
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
