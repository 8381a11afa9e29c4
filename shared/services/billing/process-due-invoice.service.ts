import { mayCharge } from '#shared/domain/accounts/plan.rules.ts';
import { isHard } from '#shared/domain/billing/dunning.rules.ts';
import { markCanceled, putOffTry } from '#shared/domain/billing/invoice.machine.ts';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { asksOfInvoice } from '#shared/domain/billing/invoice-payment.rules.ts';
import { isClosed } from '#shared/domain/billing/subscription.rules.ts';
import { DAY, HOUR, plus } from '#shared/kernel/clock.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { endTries, settleInvoice } from '#shared/services/billing/settle-invoice.service.ts';
import { hasOtherMethod, mayBeTried, tryInvoice } from '#shared/services/billing/try-invoice.service.ts';
import { relayInvoice } from '#shared/services/relay/relay-invoice.service.ts';

/** How long a try is put off while its subscription is paused. */
const WHILE_PAUSED = DAY;
const WHILE_HELD = HOUR;

/** Passes the invoice's events on, and makes the next try if that is due. */
export async function processDueInvoice(id: string, deps: Deps): Promise<void> {
  await inRounds(async () => {
    const found = await deps.invoices.byId(id);
    const invoice = found && (await relayInvoice(found, deps));
    if (!invoice || !isDue(invoice, deps.clock.now())) return true;
    return (await tryAgain(invoice, deps)) === 'lost' ? undefined : true;
  }, 'Others are changing this invoice right now.');
}

const isDue = ({ status, next_retry_at, trying }: Invoice, at: Date): boolean =>
  status === 'open' && !trying && next_retry_at !== null && next_retry_at <= at.toISOString();

/** `lost`: a concurrent write has changed what was read. */
async function tryAgain(invoice: Invoice, deps: Deps): Promise<unknown> {
  const [subscription, payment] = await Promise.all([
    deps.subscriptions.byId(invoice.subscription_id),
    deps.payments.byId(invoice.payment_id ?? ''),
  ]);
  const at = deps.clock.now();
  const change = (decide: (i: Invoice) => Invoice | undefined) =>
    deps.invoices.change(invoice, (i) => (isDue(i, at) ? decide(i) : undefined));
  if (!subscription || !payment || isClosed(subscription)) return change((i) => markCanceled(i, at));
  if (subscription.status === 'paused') return change((i) => putOffTry(i, plus(at, WHILE_PAUSED), at));
  // The payment has succeeded outside of a try.
  if (asksOfInvoice(payment) === 'pay') return settleInvoice(payment, deps);
  if (!mayBeTried(payment)) return change((i) => putOffTry(i, plus(at, WHILE_HELD), at));
  if (isHard(payment) && !hasOtherMethod(subscription, invoice, payment))
    return (await endTries(invoice, subscription, deps)) ? 'ended' : 'lost';
  const setup = await deps.organizations.setup(invoice.org_id);
  if (!mayCharge(subscription, setup, deps.config.stage, at))
    return change((i) => putOffTry(i, plus(at, WHILE_HELD), at));
  return (await tryInvoice({ invoice, subscription, payment, setup }, undefined, deps)).how;
}
