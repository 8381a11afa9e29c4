import { cancelForGood } from '#functions/invoices/cancel-invoice.usecase.ts';
import type { Subscription } from '#shared/domain/subscription.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

const AT_MOST = 200;

/** Nothing more is begun for a subscription that was canceled. A payment that has no verdict yet decides about its invoice: paid, or canceled. */
export async function cancelOpenInvoices({ id, org_id, last_invoice_id }: Subscription, caller: Caller, deps: Deps): Promise<void> {
  const { items } = await deps.invoices.list(org_id, { subscription_id: id, status: 'open', limit: AT_MOST, offset: 0 });
  const ids = new Set([...(last_invoice_id === undefined ? [] : [last_invoice_id]), ...items.map((invoice) => invoice.id)]);
  for (const each of ids) {
    try {
      await cancelForGood(each, caller, deps);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      deps.log.info('open_invoice_left', { invoice_id: each, org_id, code: error.code });
    }
  }
}
