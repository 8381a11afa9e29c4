import { type Operator, recordCommand } from '#lib/ops/audit.ts';
import type { OpsDeps, OpsResult } from '#lib/ops/ops-host.ts';
import { allDisputes, allPayments, requireOrganization } from '#lib/recovery/walk-records.ts';
import {
  addSums,
  disputeDeltas,
  paymentDeltas,
  type Sums,
  type TotalKey,
  type TotalsDelta,
  totalName,
} from '#shared/domain/reporting/totals.rules.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';

export type DayRange = { readonly from: string; readonly to: string };

type Correction = { readonly of: TotalKey; readonly has: Sums; readonly should: Sums; readonly add: Sums };

type Needs = Pick<OpsDeps, 'payments' | 'disputes' | 'organizations' | 'totals' | 'platform' | 'clock'>;

/** How long changes take to reach the totals, and longer: of newer days the totals may rightly lag. */
const SETTLED_AFTER = 15 * 60_000;

/**
 * Counts the totals of days again, from the payments and disputes of these days. What is missing is added as one more
 * step, which the totals take as they take those of a shard of the stream; so changes that are counted meanwhile are not
 * lost.
 */
export async function recount(
  orgId: string,
  days: DayRange,
  operator: Operator | undefined,
  deps: Needs,
): Promise<OpsResult> {
  const organization = await requireOrganization(orgId, deps);
  assertPast(days, deps.clock.now());
  const first = await correctionsOf(orgId, days, deps);
  if (operator && first.length > 0) {
    // A payment that changes while all are read would be counted wrong. Two equal readings had no such change.
    const second = await correctionsOf(orgId, days, deps);
    if (JSON.stringify(first) !== JSON.stringify(second))
      throw new Error(
        'Payments or disputes of these days changed while they were counted. Nothing was written. Try again.',
      );
    await recordCommand(operator, organization, deps);
    await addAll(first, deps);
  }
  return { text: textOf(orgId, days, first, operator !== undefined), data: first };
}

function assertPast({ from, to }: DayRange, now: Date): void {
  if (from > to) throw new Error('--from must be a day before --to, or the same.');
  if (plus(`${to}T00:00:00.000Z`, DAY + SETTLED_AFTER) > now)
    throw new Error(`${to} is not over yet, or only just. Count days that are over: their totals do not lag.`);
}

async function correctionsOf(orgId: string, days: DayRange, deps: Needs): Promise<readonly Correction[]> {
  const [should, has] = [await countRecords(orgId, days, deps), await storedTotals(orgId, days, deps)];
  const names = [...new Set([...should.keys(), ...has.keys()])].sort();
  return names.flatMap((name) => {
    const of = should.get(name)?.of ?? has.get(name)?.of;
    if (!of) return [];
    const [counted, stored] = [should.get(name)?.add ?? {}, has.get(name)?.add ?? {}];
    const negative = Object.fromEntries(Object.entries(stored).map(([field, value]) => [field, -value]));
    const add = addSums([counted, negative]);
    return Object.keys(add).length === 0 ? [] : [{ of, has: stored, should: counted, add }];
  });
}

type ByName = Map<string, Pick<TotalsDelta, 'of' | 'add'>>;

/** What the payments and disputes of these days add up to. Each counts on the day that it was created. */
async function countRecords(orgId: string, { from, to }: DayRange, deps: Needs): Promise<ByName> {
  const window = {
    created_after: `${from}T00:00:00.000Z`,
    created_before: plus(`${to}T00:00:00.000Z`, DAY).toISOString(),
  };
  const counted: ByName = new Map();
  const count = (deltas: readonly TotalsDelta[]) => {
    for (const { of, add } of deltas)
      if (of.kind === 'day') {
        const name = totalName(of);
        counted.set(name, { of, add: addSums([counted.get(name)?.add ?? {}, add]) });
      }
  };
  for await (const payment of allPayments(orgId, window, deps)) count(paymentDeltas(undefined, payment));
  for await (const dispute of allDisputes(orgId, window, deps)) count(disputeDeltas(undefined, dispute));
  return counted;
}

async function storedTotals(orgId: string, days: DayRange, { totals }: Needs): Promise<ByName> {
  const stored: ByName = new Map();
  for (const { sums, ...day } of await totals.days(orgId, days)) {
    const of: TotalKey = { kind: 'day', org_id: orgId, ...day };
    stored.set(totalName(of), { of, add: addSums([sums]) });
  }
  return stored;
}

/** Each correction has a mark of its own, as a shard has, so that a repeated write adds nothing twice. */
async function addAll(corrections: readonly Correction[], { totals, clock }: Needs): Promise<void> {
  const at = clock.now();
  const shard = { id: newId('act', at) };
  for (const { of, add } of corrections) await totals.add(of, shard, [{ add, seq: '1' }], at);
}

function textOf(orgId: string, { from, to }: DayRange, corrections: readonly Correction[], isDone: boolean): string {
  if (corrections.length === 0) return `The totals of ${orgId} from ${from} to ${to} are right.\n`;
  const lines = corrections.map(({ of, has, should }) => `  ${totalName(of)}\n    ${sums(has)}\n    ${sums(should)}`);
  return [`${isDone ? 'Corrected' : 'Would correct'} (stored, then counted):`, ...lines, ''].join('\n');
}

const sums = (values: Sums): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || 'nothing';
