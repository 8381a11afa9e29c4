import { slotKey } from '#shared/domain/payment-link.machine.ts';
import type { PaymentLink, Slot } from '#shared/domain/payment-link.model.ts';
import { linkDueAt } from '#shared/domain/payment-link.rules.ts';
import { INDEXES, type Item } from '#shared/ports/table.port.ts';
import { indexKeys, keys } from '#shared/store/keys.ts';
import { roomFor } from '#shared/store/room.ts';

/** Each slot is an attribute of its own, so that one is taken without writing the others. */
const SLOT = 'slot:';

const NOT_OURS: ReadonlySet<string> = new Set(['pk', 'sk', 'item_type', 'nonce', 'slot_count', ...Object.values(INDEXES).flat()]);

export const slotAttribute = (paymentId: string): string => SLOT + slotKey(paymentId);

/** A customer who wants to pay; one whose money has come is taken note of in any case. */
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
  }),
  fromItem: (item: Item): PaymentLink => {
    const fields = Object.entries(item).filter(([name]) => !NOT_OURS.has(name));
    const isSlot = ([name]: readonly [string, unknown]) => name.startsWith(SLOT);
    const slots = Object.fromEntries(fields.filter(isSlot).map(([name, slot]) => [name.slice(SLOT.length), slot as unknown as Slot]));
    return { ...Object.fromEntries(fields.filter((field) => !isSlot(field))), slots } as unknown as PaymentLink;
  },
  needRoom: roomFor<PaymentLink>('payment link', hasNewSlot),
};

export function linkDue(link: PaymentLink): { readonly due_pk?: string; readonly due_sk?: string } {
  const at = linkDueAt(link);
  return at === undefined ? {} : { due_pk: indexKeys.due(link.id), due_sk: `${at}#${link.id}` };
}
