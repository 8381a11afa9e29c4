import type { PaymentLink, Slot } from '#shared/domain/links/payment-link.model.ts';
import type { EventStub } from '#shared/domain/payments/payment.model.ts';
import { RELAY_GRACE } from '#shared/domain/payments/reconciliation.rules.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { withoutFields } from '#shared/kernel/without-fields.ts';

/** How long a started payment holds its slot. After that, its page at the provider is expired. */
export const SLOT_HOLD = 30 * MINUTE;

/** Expiring a page takes a while. After this time the slot is freed, even if its payment has no outcome. */
const SLOT_GRACE = 5 * MINUTE;

/** How many customers can pay at once. Their slots are in the link's own item. */
export const MAX_SLOTS = 500;

export type DueLinkTask =
  | { readonly kind: 'expire'; readonly at: Date }
  | { readonly kind: 'review_slot'; readonly slot: Slot; readonly at: Date }
  | { readonly kind: 'relay'; readonly at: Date };

/** Everything that is scheduled for this link, with its time. */
export function dueLinkTasks({ status, expires_at, slots, outbox }: PaymentLink): readonly DueLinkTask[] {
  const oldest = outbox[0];
  return [
    ...(status === 'active' && expires_at !== null ? [{ kind: 'expire', at: new Date(expires_at) } as const] : []),
    ...Object.values(slots).map(
      (slot) => ({ kind: 'review_slot', slot, at: plus(slot.until, slot.state === 'paid' ? 0 : SLOT_GRACE) }) as const,
    ),
    ...(oldest ? [{ kind: 'relay', at: plus(oldest.at, RELAY_GRACE) } as const] : []),
  ];
}

/** When the link is due next, if ever. */
export function linkDueAt(link: PaymentLink): string | undefined {
  const times = dueLinkTasks(link).map(({ at }) => at.getTime());
  return times.length === 0 ? undefined : new Date(Math.min(...times)).toISOString();
}

const INTERNAL_FIELDS = [
  'version',
  'sealed_details',
  'slots_left',
  'slots',
  'outbox',
  'announced',
  'trace',
] as const satisfies readonly (keyof PaymentLink)[];

/** The fields that the API shows. */
export const publicLink = (link: PaymentLink) => ({
  ...withoutFields(link, INTERNAL_FIELDS),
  capture: link.capture ?? ('automatic' as const),
});

/** The `data` of the event: the link at that moment, and the payment that was counted. */
export const linkSnapshot = (link: PaymentLink, url: string, stub: EventStub): Readonly<Record<string, unknown>> => ({
  ...publicLink(link),
  url,
  ...stub.was,
});

/** The URL of a link's page. */
export const linkUrl = (linkId: string, { apiUrl }: { readonly apiUrl: string }): string => `${apiUrl}/pay/${linkId}`;
