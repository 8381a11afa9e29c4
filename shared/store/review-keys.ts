import { randomBits } from '#shared/kernel/ids.ts';
import type { Key } from '#shared/store/table/table.port.ts';

/** Apart from the other keys, so that what charges does not load it: only the projector and lists use these. */
export const reviewKeys = {
  review: (paymentId: string): Key => ({ pk: `REVIEW#${randomBits(paymentId)}`, sk: 'REVIEW' }),
};

export const reviewIndexKeys = {
  /** Contains a payment only while it is under review, by the time that the review began. */
  reviews: (orgId: string, shard: number): string => `@review#${orgId}#${shard}`,
};
