import { settingsOf } from '#shared/domain/accounts/organization.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { receiptAddress, receiptMail } from '#shared/domain/payments/receipt.rules.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { MailError } from '#shared/ports/mail.port.ts';
import { mailableAddresses } from '#shared/services/workflows/mailable-addresses.service.ts';

type ReceiptDeps = Pick<Deps, 'clock' | 'events' | 'log' | 'mail' | 'members' | 'organizations' | 'payments'>;

/** The event that a payment has succeeded. */
export type PaidEvent = { readonly id: string; readonly org_id: string };

/**
 * Mails the customer a receipt, if the organization wants that. The event may come several times, also at once: the
 * payment is marked first, so that the customer gets one mail. A run that dies between the mark and the mail leaves the
 * customer without one, which is better than two: the page is a receipt as well.
 */
export async function sendReceipt({ id, org_id }: PaidEvent, deps: ReceiptDeps): Promise<void> {
  const organization = await deps.organizations.byId(org_id);
  if (!organization || !settingsOf(organization).email_receipts) return;
  const event = await deps.events.get(org_id, id);
  const payment = event && (await deps.payments.byId(String(event.data.id)));
  const address = payment && receiptAddress(payment, organization);
  if (!payment || address === undefined) return;
  const [to] = await mailableAddresses([address], org_id, deps);
  if (to === undefined) return deps.log.info('receipt_not_allowed', { payment_id: payment.id, org_id });
  const by = randomText(22);
  const at = deps.clock.now().toISOString();
  const marked = await deps.payments.change(payment, (p) =>
    receiptAddress(p, organization) === undefined ? undefined : { ...p, receipt: { by, at } },
  );
  if (marked.receipt?.by !== by) return;
  await mailOrRelease(marked, { to, ...receiptMail(marked, organization, event.created_at) }, deps);
}

/** A mailer that is busy gets the mail again with the next delivery of the event. */
async function mailOrRelease(
  payment: Payment,
  mail: Parameters<ReceiptDeps['mail']['send']>[0],
  { mail: mailer, payments, log }: ReceiptDeps,
): Promise<void> {
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    if (error.kind === 'rejected') return log.warn('receipt_not_mailed', { payment_id: payment.id, error });
    await payments.change(payment, ({ receipt, ...p }) => (receipt?.by === payment.receipt?.by ? p : undefined));
    throw error;
  }
}
