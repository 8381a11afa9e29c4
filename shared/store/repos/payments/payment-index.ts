import { namedCaptures } from '#shared/domain/payments/capture.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { secondaryCharges } from '#shared/domain/payments/refund.rules.ts';
import { isId, randomBits } from '#shared/kernel/ids.ts';
import { keys } from '#shared/store/keys.ts';
import { pspReferenceEntry } from '#shared/store/repos/payments/payment.entity.ts';
import type { Item, Key, TablePort } from '#shared/store/table/table.port.ts';

/**
 * Not in `keys.ts`, which every payment loads. In the family of payments, as claims are: whoever may write a payment may
 * file its refunds.
 */
export const filedRefundKeys = {
  filedRefund: (id: string): Key => ({ pk: `PAY#${randomBits(id)}`, sk: 'REFUND' }),
};

/** Items beside a payment that lead to it. Written before the payment, so that a crash loses none. */
export async function indexParts(table: TablePort, before: Payment, after: Payment): Promise<void> {
  await Promise.all([fileRefunds(table, before, after), indexSecondaryCharges(table, before, after)]);
}

/**
 * A write unit for each new refund: whoever has its id from a mail or a provider's statement finds the payment. A lost
 * race leaves an item that leads to a payment without this refund. Who searches looks there.
 */
export async function fileRefunds(
  table: TablePort,
  { refunds: known }: Pick<Payment, 'refunds'>,
  { id: payment_id, refunds }: Pick<Payment, 'id' | 'refunds'>,
): Promise<void> {
  const ids = new Set(known.map(({ id }) => id));
  const added = refunds.filter(({ id }) => !ids.has(id) && isId('refund', id));
  await Promise.all(
    added.map(({ id }) => table.put({ ...filedRefundKeys.filedRefund(id), item_type: 'filed_refund', payment_id })),
  );
}

/**
 * Index entries of charges, and of captures, whose reference is not the one that the payment shows: callbacks about
 * their refunds and disputes find the payment by it. They may come long after a retry replaced the charge.
 */
export const chargeItems = (payment: Payment): readonly Item[] =>
  [...secondaryCharges(payment), ...namedCaptures(payment)].map((charge) => ({
    ...keys.secondaryCharge(payment.id, charge.id),
    item_type: 'charge_beside',
    ...pspReferenceEntry(payment.id, charge),
  }));

async function indexSecondaryCharges(table: TablePort, before: Payment, after: Payment): Promise<void> {
  const indexed = new Set(chargeItems(before).map(nameOf));
  for (const item of chargeItems(after)) if (!indexed.has(nameOf(item))) await table.put(item);
}

const nameOf = ({ sk, lookup_pk }: Item): string => `${sk} ${lookup_pk}`;
