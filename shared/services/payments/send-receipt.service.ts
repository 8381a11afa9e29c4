import { settingsOf } from '#shared/domain/accounts/organization.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { receiptAddress, receiptMail } from '#shared/domain/payments/receipt.rules.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { LASTING_MAIL_ERRORS, MailError } from '#shared/ports/mail.port.ts';
import { mailableAddresses } from '#shared/services/workflows/mailable-addresses.service.ts';

export type ReceiptDeps = Pick<Deps, 'clock' | 'events' | 'log' | 'mail' | 'members' | 'organizations' | 'payments'>;

/** The event that a payment has succeeded. */
export type PaidEvent = { readonly id: string; readonly org_id: string };

/**
 * Mails the customer a receipt, if the organization wants that. The event may come several times, also at once: the
 * payment is marked first, so that the customer gets one mail. If the run dies before the mark says that the mail is
 * out, the message comes again (`redelivered`), and the customer may get a second mail: better than none.
 */
export async function sendReceipt({ id, org_id }: PaidEvent, deps: ReceiptDeps, redelivered = false): Promise<void> {
  const organization = await deps.organizations.byId(org_id);
  if (!organization || !settingsOf(organization).email_receipts) return;
  const event = await deps.events.get(org_id, id);
  const payment = event && (await deps.payments.byId(String(event.data.id)));
  const address = payment && receiptAddress(payment, organization, redelivered);
  if (!payment || address === undefined) return;
  const [to] = await mailableAddresses([address], org_id, deps);
  if (to === undefined) return deps.log.info('receipt_not_allowed', { payment_id: payment.id, org_id });
  const receipt = { by: randomText(22), at: deps.clock.now().toISOString(), pending: true } as const;
  const marked = await deps.payments.change(payment, (p) =>
    receiptAddress(p, organization, redelivered) === undefined ? undefined : { ...p, receipt },
  );
  if (marked.receipt?.by !== receipt.by) return;
  await mailOrRelease(marked, { to, ...receiptMail(marked, organization, event.created_at) }, deps);
}

/** A mailer that is busy gets the mail again with the next delivery of the event. */
async function mailOrRelease(
  payment: Payment,
  mail: Parameters<ReceiptDeps['mail']['send']>[0],
  { mail: mailer, payments, log }: ReceiptDeps,
): Promise<void> {
  const mark = (change: (receipt: NonNullable<Payment['receipt']>) => Payment['receipt']) =>
    payments.change(payment, ({ receipt, ...p }) => {
      if (receipt?.by !== payment.receipt?.by || receipt === undefined) return undefined;
      const changed = change(receipt);
      return changed ? { ...p, receipt: changed } : p;
    });
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    if (!LASTING_MAIL_ERRORS.has(error.kind)) {
      await mark(() => undefined);
      throw error;
    }
    log.warn('receipt_not_mailed', { payment_id: payment.id, error });
  }
  await mark(({ by, at }) => ({ by, at }));
}
