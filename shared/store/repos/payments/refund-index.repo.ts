import { isId } from '#shared/kernel/ids.ts';
import type { RefundIndexPort } from '#shared/ports/refund-index.port.ts';
import { filedRefundKeys } from '#shared/store/repos/payments/payment-index.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

export class RefundIndexRepo implements RefundIndexPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async paymentOf(refundId: string): Promise<string | undefined> {
    const item = isId('refund', refundId) ? await this.#table.get(filedRefundKeys.filedRefund(refundId)) : undefined;
    return item && String(item.payment_id);
  }
}
