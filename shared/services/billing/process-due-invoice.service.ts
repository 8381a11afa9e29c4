import { mayCharge } from '#shared/domain/accounts/plan.rules.ts';
import { markCanceled, postponeRetry } from '#shared/domain/billing/invoice.machine.ts';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { nextDunningStep } from '#shared/domain/billing/invoice-payment.rules.ts';
import { DAY, HOUR, plus } from '#shared/kernel/clock.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type CollectDeps, collectInvoice } from '#shared/services/billing/collect-invoice.service.ts';
import { exhaustRetries, settleInvoice } from '#shared/services/billing/settle-invoice.service.ts';
import { type EventDeps, relayInvoice } from '#shared/services/relay/relay-events.service.ts';

export type DueInvoiceDeps = CollectDeps & EventDeps & Pick<Deps, 'organizations'>;

/** How long a retry is postponed while its subscription is paused. */
const PAUSED_DELAY = DAY;
/** The same while the last payment has no outcome, or the organization may not take payments. */
const BLOCKED_DELAY = HOUR;

/** Publishes the invoice's events, and collects it if a retry is due. */
export async function processDueInvoice(id: string, deps: DueInvoiceDeps): Promise<void> {
  await retryOnConflict(async () => {
    const found = await deps.invoices.byId(id);
    const invoice = found && (await relayInvoice(found, deps));
    if (!invoice || !isDue(invoice, deps.clock.now())) return true;
    return (await runDunning(invoice, deps)) === 'conflict' ? undefined : true;
  }, 'This invoice is being changed by other requests. Try again.');
}

const isDue = ({ status, next_retry_at, trying }: Invoice, at: Date): boolean =>
  status === 'open' && !trying && next_retry_at !== null && next_retry_at <= at.toISOString();

/** `conflict`: a concurrent write changed what was read. */
async function runDunning(invoice: Invoice, deps: DueInvoiceDeps): Promise<unknown> {
  const [subscription, payment] = await Promise.all([
    deps.subscriptions.byId(invoice.subscription_id),
    deps.payments.byId(invoice.payment_id ?? ''),
  ]);
  const at = deps.clock.now();
  const change = (decide: (i: Invoice) => Invoice | undefined) =>
    deps.invoices.change(invoice, (i) => (isDue(i, at) ? decide(i) : undefined));
  if (!subscription || !payment) return change((i) => markCanceled(i, at));
  switch (nextDunningStep(invoice, subscription, payment)) {
    case 'cancel':
      return change((i) => markCanceled(i, at));
    case 'wait_for_resume':
      return change((i) => postponeRetry(i, plus(at, PAUSED_DELAY), at));
    case 'settle':
      return settleInvoice(payment, deps);
    case 'wait':
      return change((i) => postponeRetry(i, plus(at, BLOCKED_DELAY), at));
    case 'exhaust':
      return (await exhaustRetries(invoice, subscription, deps)) ? 'exhausted' : 'conflict';
    case 'collect': {
      const routingData = await deps.organizations.routingData(invoice.org_id);
      if (!mayCharge(subscription, routingData, deps.config.stage, at))
        return change((i) => postponeRetry(i, plus(at, BLOCKED_DELAY), at));
      return (await collectInvoice({ invoice, subscription, payment, routingData }, undefined, deps)).status;
    }
  }
}
