import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { cancelForGood } from '#shared/services/billing/cancel-invoice.service.ts';
import { openInvoices } from '#shared/services/billing/open-invoices.service.ts';

/**
 * No further try is begun for a canceled subscription. A payment without a verdict decides what its invoice becomes:
 * paid or canceled.
 */
export async function cancelOpenInvoices(subscription: Subscription, caller: Caller, deps: Deps): Promise<void> {
  for await (const id of openInvoices(subscription, deps)) {
    try {
      await cancelForGood(id, caller, deps);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      deps.log.info('open_invoice_left', { invoice_id: id, org_id: subscription.org_id, code: error.code });
    }
  }
}
