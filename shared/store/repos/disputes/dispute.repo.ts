import { disputeId } from '#shared/domain/disputes/dispute.machine.ts';
import type { Dispute } from '#shared/domain/disputes/dispute.model.ts';
import { AWAITING_STATUSES, awaitsAnswer } from '#shared/domain/disputes/dispute.rules.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import type { AddressedConnection } from '#shared/domain/routing/callback-address.rules.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { DisputesPort, DisputesQuery, DisputeWrites } from '#shared/ports/disputes.port.ts';
import { indexKeys, LIST_SHARDS } from '#shared/store/keys.ts';
import {
  countFilters,
  inShards,
  type ListOptions,
  type ListSource,
  listRecords,
  matchesFilters,
} from '#shared/store/list-records.ts';
import { ListShards } from '#shared/store/list-shards.ts';
import { disputeEntity } from '#shared/store/repos/disputes/dispute.entity.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { storeCreateResponse } from '#shared/store/repos/payments/payment.repo.ts';
import type { TablePort, Write } from '#shared/store/table/table.port.ts';
import { transactWithRetry } from '#shared/store/transact-with-retry.ts';
import { VersionedRepo, writeOf } from '#shared/store/versioned-repo.ts';

/** The part of an id that finds the record derives from what the dispute is, not from when it was heard of. */
const ANY_TIME = new Date(0);

export class DisputeRepo extends VersionedRepo<Dispute> implements DisputesPort {
  readonly #clock: Clock;
  readonly #lists: ListShards;
  constructor(table: TablePort, clock: Clock) {
    super(table, disputeEntity);
    this.#clock = clock;
    this.#lists = new ListShards(table, clock);
  }

  byReference({ org_id, id }: AddressedConnection, reference: string): Promise<Dispute | undefined> {
    return this.read(disputeId({ org_id, connection_id: id }, reference, ANY_TIME));
  }

  /** Of several organizations the first to hear of it: nobody else can know the reference before. */
  async byPspReference(provider: string, reference: string): Promise<Dispute | undefined> {
    const page = await this.table.entries('customer', { pk: indexKeys.pspDispute(provider, reference), limit: 1 });
    const entry = page.items[0];
    return entry && this.byId(entry.at);
  }

  async list(orgId: string, query: DisputesQuery): Promise<ListPage<Dispute>> {
    return listDisputes(this.table, orgId, query, { shards: await this.#lists.all(orgId) });
  }

  async commit({ dispute, payment }: DisputeWrites): Promise<boolean> {
    const placed = dispute.before ? dispute.after : await this.#lists.place(dispute.after);
    const writes = [writeOf({ ...dispute, after: placed }, disputeEntity), ...(await this.#paymentWrites(payment))];
    return (await transactWithRetry(this.table, writes)).ok;
  }

  async #paymentWrites(payment: DisputeWrites['payment']): Promise<readonly Write[]> {
    if (!payment) return [];
    const at = this.#clock.now();
    const { before, after } = payment;
    const prepared = before ? await storeCreateResponse(this.table, before, after, this.#clock) : after;
    const entity = { ...paymentEntity, toItem: (p: typeof after) => paymentEntity.toItem(p, at) };
    return [writeOf({ ...payment, after: prepared }, entity)];
  }
}

const FILTERS = ['status', 'provider', 'payment_id'] as const;

export function listDisputes(
  table: TablePort,
  orgId: string,
  query: DisputesQuery,
  { shards = LIST_SHARDS, ...limits }: ListOptions = {},
): Promise<ListPage<Dispute>> {
  const { respond_by_before: before } = query;
  const isInTime = (dispute: Dispute) =>
    before === undefined || (awaitsAnswer(dispute) && dispute.respond_by !== null && dispute.respond_by < before);
  const matches = matchesFilters(FILTERS, orgId, query);
  const source = sourceOf(orgId, query, shards);
  const reader = { source, matches: (dispute: Dispute) => matches(dispute) && isInTime(dispute) };
  return listRecords(table, { ...reader, read: disputeEntity.fromItem, idKind: 'dispute' }, query, limits);
}

/** The narrowest index for the filter. Few disputes wait for an answer, so those with a deadline are found by status. */
function sourceOf(orgId: string, query: DisputesQuery, shards: number): ListSource {
  const { status, payment_id, respond_by_before } = query;
  const exact = respond_by_before === undefined && countFilters(FILTERS, query) <= 1;
  if (payment_id !== undefined)
    return { index: 'lookup', partitions: [indexKeys.disputesOfPayment(orgId, payment_id)], exact };
  const statuses = status === undefined && respond_by_before !== undefined ? AWAITING_STATUSES : [status];
  const partitions = statuses.flatMap((each) =>
    each === undefined ? [] : inShards(shards, (n) => indexKeys.disputesByStatus(orgId, each, n)),
  );
  if (partitions.length > 0) return { index: 'status', partitions, exact };
  return {
    index: 'list',
    partitions: inShards(shards, (n) => indexKeys.disputes(orgId, n)),
    exact: exact && query.provider === undefined,
  };
}
