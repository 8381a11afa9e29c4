import { type Operator, recordCommand } from '#lib/ops/audit.ts';
import type { OpsDeps, OpsResult } from '#lib/ops/ops-host.ts';
import { allSubscriptions, requireOrganization } from '#lib/recovery/walk-records.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { subscriptionDeltas } from '#shared/domain/billing/subscription-totals.rules.ts';
import { addSums, type Sums } from '#shared/domain/reporting/totals.rules.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { idTime, newId } from '#shared/kernel/ids.ts';

type Correction = { readonly currency: string; readonly has: Sums; readonly should: Sums; readonly add: Sums };

type Needs = Pick<OpsDeps, 'subscriptions' | 'organizations' | 'subscriptionTotals' | 'totals' | 'platform' | 'clock'>;

/** How long changes take to reach the totals, and longer: an alarm rings when the projector is that late. */
const SETTLED_AFTER = 5 * MINUTE;

/**
 * Counts how an organization's subscriptions stand, from all of them. What the totals lack is added as one more step,
 * as `recount` does. What moved on past days is not in the records, and stays.
 */
export async function recountSubscriptions(
  orgId: string,
  operator: Operator | undefined,
  deps: Needs,
): Promise<OpsResult> {
  const organization = await requireOrganization(orgId, deps);
  const first = await correctionsOf(orgId, deps);
  if (operator && first.length > 0) {
    // A subscription that changes while all are read would be counted wrong. Two equal readings had no such change.
    const second = await correctionsOf(orgId, deps);
    if (JSON.stringify(first) !== JSON.stringify(second))
      throw new Error('Subscriptions changed while they were counted. Nothing was written. Try again.');
    await recordCommand(operator, organization, deps);
    await addAll(orgId, first, deps);
  }
  return { text: textOf(orgId, first, operator !== undefined), data: first };
}

async function correctionsOf(orgId: string, deps: Needs): Promise<readonly Correction[]> {
  const counted = await countRecords(orgId, deps);
  const stored = await storedSums(orgId, deps);
  return [...new Set([...counted.keys(), ...stored.keys()])].sort().flatMap((currency) => {
    const [should, has] = [counted.get(currency) ?? {}, stored.get(currency) ?? {}];
    const negative = Object.fromEntries(Object.entries(has).map(([name, value]) => [name, -value]));
    const add = addSums([should, negative]);
    return Object.keys(add).length === 0 ? [] : [{ currency, has, should, add }];
  });
}

async function countRecords(orgId: string, deps: Needs): Promise<ReadonlyMap<string, Sums>> {
  const counted = new Map<string, Sums>();
  const settled = plus(deps.clock.now(), -SETTLED_AFTER).toISOString();
  for await (const subscription of allSubscriptions(orgId, deps)) {
    if (subscription.updated_at > settled && !isRenewal(subscription))
      throw new Error(
        `${subscription.id} changed in the last ${SETTLED_AFTER / MINUTE} minutes, which the totals may not include ` +
          'yet. Try again when nobody has changed a subscription for so long.',
      );
    for (const { of, add } of subscriptionDeltas(undefined, subscription))
      if (of.kind === 'subscriptions' && of.day === null)
        counted.set(of.currency, addSums([counted.get(of.currency) ?? {}, add]));
  }
  return counted;
}

/** Whether its last change began a further period, which counts nothing. */
const isRenewal = ({ invoices, last_invoice_id, updated_at }: Subscription): boolean =>
  invoices > 1 && last_invoice_id !== undefined && idTime(last_invoice_id).toISOString() === updated_at;

async function storedSums(orgId: string, { subscriptionTotals, clock }: Needs): Promise<ReadonlyMap<string, Sums>> {
  const today = clock.now().toISOString().slice(0, 10);
  const totals = await subscriptionTotals.since(orgId, today);
  return new Map(totals.flatMap(({ day, currency, sums }) => (day === null ? [[currency, addSums([sums])]] : [])));
}

/** The corrections have a mark of their own, as a shard has, so that a repeated write adds nothing twice. */
async function addAll(orgId: string, corrections: readonly Correction[], { totals, clock }: Needs): Promise<void> {
  const at = clock.now();
  const shard = { id: newId('act', at) };
  for (const { currency, add } of corrections)
    await totals.add({ kind: 'subscriptions', org_id: orgId, currency, day: null }, shard, [{ add, seq: '1' }], at);
}

function textOf(orgId: string, corrections: readonly Correction[], isDone: boolean): string {
  if (corrections.length === 0) return `The totals of the subscriptions of ${orgId} are right.\n`;
  const lines = corrections.map(
    ({ currency, has, should }) => `  ${currency}\n    ${listed(has)}\n    ${listed(should)}`,
  );
  return [`${isDone ? 'Corrected' : 'Would correct'} (stored, then counted):`, ...lines, ''].join('\n');
}

const listed = (sums: Sums): string =>
  Object.entries(sums)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || 'nothing';
