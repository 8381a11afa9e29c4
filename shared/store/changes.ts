import type { FollowedResources, RecordChange } from '#shared/ports/changes.port.ts';
import { invoiceEntity } from '#shared/store/repos/billing/invoice.repo.ts';
import { subscriptionEntity } from '#shared/store/repos/billing/subscription.repo.ts';
import { disputeEntity } from '#shared/store/repos/disputes/dispute.entity.ts';
import { paymentLinkEntity } from '#shared/store/repos/links/payment-link.repo.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { executionEntity } from '#shared/store/repos/workflows/execution.repo.ts';
import type { FeedRecord, Item } from '#shared/store/table/table.port.ts';

/**
 * How to read each followed resource, by `item_type`. To publish events or counts of a new resource, add a line here.
 */
const READERS: { readonly [K in keyof FollowedResources]: (item: Item) => FollowedResources[K] } = {
  payment: paymentEntity.fromItem,
  payment_link: paymentLinkEntity.fromItem,
  subscription: subscriptionEntity.fromItem,
  invoice: invoiceEntity.fromItem,
  execution: executionEntity.fromItem,
  dispute: disputeEntity.fromItem,
};

const isFollowed = (itemType: string): itemType is keyof FollowedResources => Object.hasOwn(READERS, itemType);

/** The changes of followed resources in a batch of the change feed. Each item is parsed only when it is used. */
export function changesIn(records: readonly FeedRecord[]): readonly RecordChange[] {
  return records.flatMap(({ seq, key, old, new: next }) => {
    const kind = String((next ?? old)?.item_type);
    if (!isFollowed(kind)) return [];
    const read = READERS[kind];
    const images = { ...(old && { old: () => read(old) }), ...(next && { new: () => read(next) }) };
    return [{ kind, seq, resource: key.pk, ...images } as RecordChange];
  });
}
