import { listOfConnection, type ProviderList, type TimeRange } from '#lib/recovery/provider-list.ts';
import { type Mode, type RecoverDeps, recoverCharge } from '#lib/recovery/recover-charge.ts';
import { recoverRefund } from '#lib/recovery/recover-refund.ts';
import { type RenewalDeps, recoverRenewals, type Unread, unreadKeys } from '#lib/recovery/recover-renewals.ts';
import type { FoundCharge, FoundRefund, Knowable, RecoveryReport } from '#lib/recovery/recovery-report.ts';
import { allOrganizations } from '#lib/recovery/walk-records.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type ReconcileDeps = RecoverDeps & RenewalDeps & Pick<Deps, 'platform' | 'organizations'>;

type Range = TimeRange & Mode & { readonly orgId?: string | undefined };

/**
 * Asks every connection's provider what it charged and refunded in the time, and adds what our records lack. Run after
 * a restore, before the service uses the restored table. It may be run again at any time.
 */
export async function reconcile(range: Range, deps: ReconcileDeps): Promise<RecoveryReport> {
  const lists: ProviderList[] = [];
  const [charges, refunds] = [[] as FoundCharge[], [] as FoundRefund[]];
  for await (const connection of connectionsOf(range.orgId, deps)) {
    const list = await listOfConnection(connection, range, deps);
    lists.push(list);
    charges.push(...(await recoverAll(list, range, deps)));
  }
  // After all charges: a payment may have been refunded at one provider and charged at another.
  for (const list of lists)
    for (const refund of list.refunds) {
      const found = await recoverRefund(list, refund, range, deps);
      if (found) refunds.push(found);
    }
  const unread = unreadOf(lists);
  const renewals = await recoverRenewals({ ...range, orgId: range.orgId, charges, unread }, deps);
  return {
    from: range.from.toISOString(),
    until: range.until.toISOString(),
    written: range.write,
    connections: lists.map(({ result }) => result),
    charges,
    refunds,
    renewals,
  };
}

/** Look-ups at a provider that run at once. */
const CONCURRENCY = 10;

/** Charges of one payment one after the other, as each changes it. */
async function recoverAll(list: ProviderList, range: Range, deps: ReconcileDeps): Promise<readonly FoundCharge[]> {
  const byPayment = [
    ...Map.groupBy(byTime(list.charges), ({ ids, reference }) => ids.payment_id ?? reference).values(),
  ];
  const found: FoundCharge[] = [];
  const work = byPayment.values();
  const worker = async () => {
    for (const charges of work)
      for (const charge of charges) found.push(await recoverCharge({ list, charge }, range, deps));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return byTime(found);
}

const byTime = <T extends { readonly at: string }>(items: readonly T[]): readonly T[] =>
  items.toSorted((a, b) => a.at.localeCompare(b.at));

/** Deleted ones too, while their credentials are kept: what was charged there is money all the same. */
async function* connectionsOf(orgId: string | undefined, deps: ReconcileDeps): AsyncGenerator<Connection> {
  for await (const id of orgId === undefined ? allOrganizations(deps) : [orgId]) {
    const { deletedConnections } = await deps.organizations.routingData(id);
    yield* await deps.connections.list(id);
    for (const deleted of deletedConnections) {
      const connection = await deps.connections.get(id, deleted);
      if (connection && connection.sealed_credentials !== '') yield connection;
    }
  }
}

function unreadOf(lists: readonly ProviderList[]): Unread {
  const unread = new Map<string, Knowable>();
  for (const { connection, result } of lists) {
    if (result.result === 'read') continue;
    const known = result.result === 'no_list' ? 'never' : 'later';
    for (const key of unreadKeys(connection.org_id, connection.id)) unread.set(key, known);
  }
  return unread;
}
