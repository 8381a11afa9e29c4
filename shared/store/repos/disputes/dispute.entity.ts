import type { Dispute } from '#shared/domain/disputes/dispute.model.ts';
import { disputeDueAt } from '#shared/domain/disputes/dispute.rules.ts';
import { hasNewMarker } from '#shared/domain/payments/idempotency-markers.rules.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { itemSizeGuard } from '#shared/store/item-size-guard.ts';
import { dueEntry, indexKeys, keys, listShardOf } from '#shared/store/keys.ts';
import type { Item } from '#shared/store/table/table.port.ts';

export const disputeEntity = {
  name: 'dispute',
  idKind: 'dispute',
  key: keys.dispute,
  toItem: (dispute: Dispute): Item => ({
    ...(dispute as unknown as Item),
    ...keys.dispute(dispute.id),
    item_type: 'dispute',
    ...indexAttributes(dispute),
  }),
  fromItem: fromItem<Dispute>,
  assertFits: itemSizeGuard<Dispute>('dispute', hasNewMarker),
} as const;

function indexAttributes(dispute: Dispute): Record<string, string> {
  const { id, org_id, payment_id, provider, psp_reference, status } = dispute;
  const shard = listShardOf(dispute);
  return {
    list_pk: indexKeys.disputes(org_id, shard),
    list_sk: id,
    lookup_pk: indexKeys.disputesOfPayment(org_id, payment_id),
    lookup_sk: id,
    customer_pk: indexKeys.pspDispute(provider, psp_reference),
    customer_sk: id,
    status_pk: indexKeys.disputesByStatus(org_id, status, shard),
    status_sk: id,
    ...dueEntry(disputeDueAt(dispute), id, org_id),
  };
}
