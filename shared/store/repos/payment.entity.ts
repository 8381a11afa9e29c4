import { currentAttempt } from '#shared/domain/payments/attempts.rules.ts';
import { dueAt } from '#shared/domain/payments/duties.rules.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { addsToPayment } from '#shared/domain/payments/payment-additions.rules.ts';
import { shardOf } from '#shared/kernel/ids.ts';
import type { Item } from '#shared/ports/table.port.ts';
import { indexKeys, keys, LIST_SHARDS } from '#shared/store/keys.ts';
import { recordIn } from '#shared/store/record-in.ts';
import { roomFor } from '#shared/store/room.ts';

export const paymentEntity = {
  toItem: (payment: Payment, now: Date): Item => {
    const standing = payment.due_at !== undefined && payment.due_at > now.toISOString() ? payment.due_at : undefined;
    const due = dueAt(payment, standing);
    const { due_at: _, ...rest } = payment;
    const record = due === undefined ? rest : { ...rest, due_at: due };
    return {
      ...(record as unknown as Item),
      ...keys.payment(payment.id),
      item_type: 'payment',
      ...indexed(payment, due),
    };
  },
  /** Found by the charge's reference, as the payment is by its own. */
  besideItem: ({ id }: Payment, attempt: Attempt): Item => ({
    ...keys.chargeBeside(id, attempt.id),
    item_type: 'charge_beside',
    ...referenceEntry(id, attempt),
  }),
  fromItem: (item: Item): Payment => recordIn<Payment>(item),
  needRoom: roomFor<Payment>('payment', addsToPayment),
};

function indexed(payment: Payment, due: string | undefined): Record<string, string> {
  const { id, org_id, connection_id, customer_id, provider, psp_reference, status } = payment;
  const shard = shardOf(id, LIST_SHARDS);
  return {
    list_pk: indexKeys.list(org_id, connection_id, shard),
    list_sk: id,
    ...(customer_id && { customer_pk: indexKeys.customer(org_id, customer_id), customer_sk: id }),
    ...referenceEntry(id, { provider, psp_reference }),
    ...(listedByStatus(payment) && { status_pk: indexKeys.status(org_id, status, shard), status_sk: id }),
    ...(due !== undefined && { due_pk: indexKeys.due(id), due_sk: `${due}#${id}` }),
  };
}

const referenceEntry = (
  id: string,
  { provider, psp_reference }: Pick<Payment, 'provider' | 'psp_reference'>,
): Record<string, string> =>
  provider && psp_reference ? { reference_pk: indexKeys.reference(provider, psp_reference), reference_sk: id } : {};

/** Nearly all payments succeed within seconds: those have no entry here, and are found in the full list. */
function listedByStatus(payment: Payment): boolean {
  if (payment.status === 'succeeded') return false;
  return !(payment.status === 'processing' && currentAttempt(payment)?.phase === 'calling');
}
