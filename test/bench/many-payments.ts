import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { anAttempt, aPayment, paymentId } from '#test/support/payment.builder.ts';
import { START } from '#test/support/stopped-clock.ts';

const LANES = 16;

/** Writes the payments from one number to another directly to the table: settled, each newer than the one before. */
export async function fillWithPayments(
  table: TablePort,
  org_id: string,
  connection_id: string,
  from: number,
  to: number,
): Promise<void> {
  let next = from;
  const lane = async () => {
    for (let n = next++; n < to; n = next++) {
      const attempts = [anAttempt({ status: 'succeeded', connection_id, psp_reference: `pi_${n}` })];
      await table.put(
        paymentEntity.toItem(aPayment({ id: paymentId(n), org_id, status: 'succeeded', attempts }), START),
      );
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
