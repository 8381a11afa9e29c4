import type { FoundCharge, Knowable } from '#lib/recovery/recovery-report.ts';
import { draftInvoice } from '#shared/domain/billing/invoice.machine.ts';
import { type Subscription, withTermsOfDuePeriod } from '#shared/domain/billing/subscription.model.ts';
import { idTime, isId } from '#shared/kernel/ids.ts';
import { operationId } from '#shared/kernel/operation.ts';
import { collectionOperation } from '#shared/services/billing/invoice-payment.service.ts';

/** What providers list about the due period of a subscription: its charge, or one that may be it. */
export type PeriodCharge =
  | { readonly kind: 'charged'; readonly paymentId: string; readonly billedAt: Date | undefined }
  | { readonly kind: 'unclear'; readonly known: Knowable };

/** The charges that were found, by organization. Those that took no money are left out. */
export type ChargesByOrganization = ReadonlyMap<string, readonly FoundCharge[]>;

const TOOK_NOTHING: ReadonlySet<string | null> = new Set(['failed', 'canceled']);

export const byOrganization = (charges: readonly FoundCharge[]): ChargesByOrganization =>
  Map.groupBy(
    charges.filter(({ status }) => !TOOK_NOTHING.has(status)),
    ({ org_id }) => org_id,
  );

/** The charge of the due period. One that could not be recovered must keep the period from being charged again. */
export function chargeOfPeriod(subscription: Subscription, found: ChargesByOrganization): PeriodCharge | undefined {
  const due = withTermsOfDuePeriod(subscription);
  const charges = found.get(subscription.org_id) ?? [];
  const own = charges.filter((charge) => isOfPeriod(charge, due));
  const charged = own.find(({ result }) => result !== 'not_recovered');
  if (charged?.payment_id) {
    const billedAt = isPaymentOf(charged.payment_id, due) ? idTime(charged.payment_id) : undefined;
    return { kind: 'charged', paymentId: charged.payment_id, billedAt };
  }
  const unclear = [...own, ...charges.filter((charge) => charge.payment_id === null && mayBeOf(charge, due))];
  if (unclear.length === 0) return undefined;
  return { kind: 'unclear', known: unclear.some(({ known }) => known !== 'later') ? 'never' : 'later' };
}

/** Providers whose lists show the text of a charge name the invoice there. */
const INVOICE_TEXT = /^Invoice ([0-9A-Z]{8}-\d{4,})$/;

function isOfPeriod({ payment_id, description, currency }: FoundCharge, due: Subscription): boolean {
  if (payment_id !== null && isPaymentOf(payment_id, due)) return true;
  const [, number] = INVOICE_TEXT.exec(description ?? '') ?? [];
  return number === draftInvoice(due, new Date(0)).number && (currency ?? due.currency) === due.currency;
}

/** The id of a renewal's payment derives from that of its invoice, and both from when the period was billed. */
function isPaymentOf(paymentId: string, due: Subscription): boolean {
  if (!isId('payment', paymentId)) return false;
  const at = idTime(paymentId);
  return operationId(collectionOperation(draftInvoice(due, at), 1, at), 'payment') === paymentId;
}

/** A charge that names no payment. */
const mayBeOf = (charge: FoundCharge, { amount, currency, token_of }: Subscription): boolean =>
  (charge.amount ?? amount) === amount &&
  (charge.currency ?? currency) === currency &&
  (!token_of || token_of.connection_id === charge.connection_id);
