import { type Operator, recordCommand } from '#lib/ops/audit.ts';
import type { OpsHost, OpsResult } from '#lib/ops/ops-host.ts';
import { allPayments, requireOrganization } from '#lib/recovery/walk-records.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { indexFaults, kindOf } from '#shared/store/locate-item.ts';
import { chargeItems, fileRefunds } from '#shared/store/repos/payments/payment-index.ts';

type Repaired = { readonly id: string; readonly faults: Awaited<ReturnType<typeof indexFaults>> };

/** Writes a record again, as it is: its index entries, also that of due work, are then as they must be. */
export async function reindex(
  id: string,
  days: { readonly from: string | undefined; readonly to: string | undefined },
  operator: Operator | undefined,
  host: OpsHost,
): Promise<OpsResult> {
  const ids = kindOf(id) === 'organization' ? await recordsOf(id, days, host) : [id];
  if (operator) await recordCommand(operator, undefined, host.deps);
  const repaired: Repaired[] = [];
  for (const each of ids) {
    const faults = await indexFaults(host.table, each, host.deps.clock.now());
    if (faults === undefined) throw new Error(NO_RECORD(each));
    if (faults.length === 0) continue;
    if (operator) await rewrite(each, faults, host);
    repaired.push({ id: each, faults });
  }
  return { text: textOf(ids.length, repaired, operator !== undefined), data: repaired };
}

const NO_RECORD = (id: string): string =>
  `There is no payment, subscription, invoice, dispute, link or execution ${id}. Only these have entries that can be made again.`;

/** What an organization's lists and the days' payments name. What no list names must be named by its own id. */
async function recordsOf(
  orgId: string,
  { from, to = from }: { readonly from: string | undefined; readonly to: string | undefined },
  { deps }: OpsHost,
): Promise<readonly string[]> {
  await requireOrganization(orgId, deps);
  const window =
    from === undefined || to === undefined
      ? {}
      : { created_after: `${from}T00:00:00.000Z`, created_before: plus(`${to}T00:00:00.000Z`, DAY).toISOString() };
  const ids: string[] = [];
  for await (const { id } of allPayments(orgId, window, deps)) ids.push(id);
  for (const list of [deps.subscriptions, deps.invoices, deps.disputes, deps.paymentLinks, deps.executions])
    for (let cursor: string | undefined; ; ) {
      const query = { ...window, limit: 100, offset: 0, ...(cursor !== undefined && { cursor }) };
      const { items, next }: { items: readonly { readonly id: string }[]; next?: string | undefined } = await list.list(
        orgId,
        query,
      );
      ids.push(...items.map((item) => item.id));
      if (next === undefined) break;
      cursor = next;
    }
  return ids;
}

/** How an entry in the list of payments under review begins. */
const REVIEWS = '@review#';

/** The same record on its next version. */
async function rewrite(id: string, faults: Repaired['faults'], { deps, table }: OpsHost): Promise<void> {
  const kind = kindOf(id);
  if (kind === 'payment') await rewritten(deps.payments, id);
  const payment = kind === 'payment' ? await deps.payments.byId(id) : undefined;
  for (const item of payment ? chargeItems(payment) : []) await table.put(item);
  if (payment) await fileRefunds(table, { refunds: [] }, payment);
  const isListed = faults?.some(({ stored }) => stored?.startsWith(REVIEWS));
  if (payment?.review || (payment && isListed)) await deps.reviews.note(payment, deps.clock.now());
  if (kind === 'subscription') await rewritten(deps.subscriptions, id);
  if (kind === 'invoice') await rewritten(deps.invoices, id);
  if (kind === 'dispute') await rewritten(deps.disputes, id);
  if (kind === 'link') await rewritten(deps.paymentLinks, id);
  if (kind === 'execution') await rewritten(deps.executions, id);
}

async function rewritten<T extends object>(
  records: {
    byId(id: string): Promise<T | undefined>;
    change(record: T, decide: (record: T) => T | undefined): Promise<T>;
  },
  id: string,
): Promise<void> {
  const record = await records.byId(id);
  if (record) await records.change(record, (current) => ({ ...current }));
}

function textOf(checked: number, repaired: readonly Repaired[], isDone: boolean): string {
  const lines = repaired.flatMap(({ id, faults = [] }) =>
    faults.map(({ index, stored, expected }) => `  ${id}  ${index}: ${stored ?? 'none'} → ${expected ?? 'none'}`),
  );
  return [`${checked} checked, ${repaired.length} ${isDone ? 'repaired' : 'would be repaired'}.`, ...lines, ''].join(
    '\n',
  );
}
