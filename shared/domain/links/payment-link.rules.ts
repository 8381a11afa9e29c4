import type { PaymentLink, Slot } from '#shared/domain/links/payment-link.model.ts';
import { RELAY_TIME } from '#shared/domain/payments/duties.rules.ts';
import type { EventStub } from '#shared/domain/payments/payment.model.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';

/** How long a started payment holds its slot; then its page at the provider is expired. */
export const HOLD = 30 * MINUTE;

/** Expiring a page takes a while. A slot whose payment has no outcome by then is freed anyway. */
const SLACK = 5 * MINUTE;

/** How many customers may pay at once; their slots are in the link's own item. */
export const MOST_SLOTS = 500;

export type LinkDuty =
  | { readonly kind: 'expire'; readonly at: Date }
  | { readonly kind: 'look_at_slot'; readonly slot: Slot; readonly at: Date }
  | { readonly kind: 'relay'; readonly at: Date };

/** All scheduled duties of this link, each with its time. */
export function linkDuties({ status, expires_at, slots, outbox }: PaymentLink): readonly LinkDuty[] {
  const waiting = outbox[0];
  return [
    ...(status === 'active' && expires_at !== null ? [{ kind: 'expire', at: new Date(expires_at) } as const] : []),
    ...Object.values(slots).map(
      (slot) => ({ kind: 'look_at_slot', slot, at: plus(slot.until, slot.state === 'paid' ? 0 : SLACK) }) as const,
    ),
    ...(waiting ? [{ kind: 'relay', at: plus(waiting.at, RELAY_TIME) } as const] : []),
  ];
}

/** When the link must be looked at next, if ever. */
export function linkDueAt(link: PaymentLink): string | undefined {
  const times = linkDuties(link).map(({ at }) => at.getTime());
  return times.length === 0 ? undefined : new Date(Math.min(...times)).toISOString();
}

/** The fields of a link in the API. */
export function shownLink(link: PaymentLink) {
  const { version: _, slots_left: __, slots: ___, outbox: ____, announced: _____, ...shown } = link;
  return shown;
}

/** The event's `data`: the link at that moment, and the payment that was counted. */
export const linkSnapshot = (link: PaymentLink, url: string, stub: EventStub): Readonly<Record<string, unknown>> => ({
  ...shownLink(link),
  url,
  ...stub.was,
});
