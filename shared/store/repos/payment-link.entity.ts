import { slotKey } from '#shared/domain/links/payment-link.machine.ts';
import type { PaymentLink, Slot } from '#shared/domain/links/payment-link.model.ts';
import { linkDueAt } from '#shared/domain/links/payment-link.rules.ts';
import type { Item } from '#shared/ports/table.port.ts';
import { indexKeys, keys } from '#shared/store/keys.ts';
import { recordIn } from '#shared/store/record-in.ts';
import { roomFor } from '#shared/store/room.ts';

/** Each slot is its own attribute, so that taking one does not write the others. */
const SLOT = 'slot:';

export const slotAttribute = (paymentId: string): string => SLOT + slotKey(paymentId);

/** Whether a change starts something that can wait: a customer's start is one, a paid slot is always recorded. */
const hasNewSlot = (before: PaymentLink, { slots }: PaymentLink): boolean =>
  Object.entries(slots).some(([key, { state }]) => state === 'held' && before.slots[key] === undefined);

export const paymentLinkEntity = {
  toItem: ({ slots, ...link }: PaymentLink): Item => ({
    ...(link as unknown as Item),
    ...Object.fromEntries(Object.entries(slots).map(([key, slot]) => [SLOT + key, slot])),
    ...keys.paymentLink(link.id),
    item_type: 'payment_link',
    slot_count: Object.keys(slots).length,
    ...linkDue({ ...link, slots }),
    list_pk: indexKeys.links(link.org_id),
    list_sk: link.id,
    status_pk: indexKeys.linksBy(link.org_id, link.status),
    status_sk: link.id,
    ...(link.status === 'active' &&
      link.expires_at !== null && {
        reference_pk: indexKeys.linksEnding(link.org_id),
        reference_sk: `${link.expires_at}#${link.id}`,
      }),
  }),
  fromItem: (item: Item): PaymentLink => {
    const { slot_count: _, ...record } = recordIn<Item>(item);
    const fields = Object.entries(record);
    const isSlot = ([name]: readonly [string, unknown]) => name.startsWith(SLOT);
    const slots = Object.fromEntries(
      fields.filter(isSlot).map(([name, slot]) => [name.slice(SLOT.length), slot as unknown as Slot]),
    );
    return { ...Object.fromEntries(fields.filter((field) => !isSlot(field))), slots } as unknown as PaymentLink;
  },
  needRoom: roomFor<PaymentLink>('payment link', hasNewSlot),
};

export function linkDue(link: PaymentLink): { readonly due_pk?: string; readonly due_sk?: string } {
  const at = linkDueAt(link);
  return at === undefined ? {} : { due_pk: indexKeys.due(link.id), due_sk: `${at}#${link.id}` };
}
