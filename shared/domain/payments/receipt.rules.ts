import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { settingsOf } from '#shared/domain/accounts/organization.rules.ts';
import { paidAmount } from '#shared/domain/payments/capture.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { RECEIPT_TEXTS } from '#shared/domain/payments/receipt.catalog.ts';
import { formatAmount, formatTime } from '#shared/domain/reference/format.rules.ts';
import { truncate } from '#shared/kernel/text.ts';

/**
 * Whom a payment's receipt is mailed to. Nobody for money that goes back, or if the receipt was mailed already, or is
 * being mailed. `abandoned`: the run that was mailing it is over, so that nobody is any more.
 */
export function receiptAddress(payment: Payment, organization: Organization, abandoned = false): string | undefined {
  const { status, customer_email, receipt, link_hold, invoice_unwanted } = payment;
  const isKept = status === 'succeeded' && link_hold?.became !== 'overpaid' && !invoice_unwanted;
  const isTaken = receipt !== undefined && !(abandoned && receipt.pending);
  if (!settingsOf(organization).email_receipts || !isKept || isTaken || customer_email === null) return undefined;
  return customer_email;
}

/** Well below the length that mailers take, in a subject with other words. */
const MAX_NAME_LENGTH = 120;

/** Control characters could begin another header, or another line of the receipt. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .toWellFormed();

/** The receipt as plain text, in the language that the organization chose. `paidAt`: when the payment succeeded. */
export function receiptMail(
  payment: Payment,
  organization: Organization,
  paidAt: string,
): { readonly subject: string; readonly text: string } {
  const { legal_name } = organization;
  const { receipt_language: language, support_email, support_phone, website_url } = settingsOf(organization);
  const texts = RECEIPT_TEXTS[language];
  const name = truncate(oneLine(organization.name), MAX_NAME_LENGTH);
  const legal = legal_name === null || legal_name === organization.name ? '' : ` (${oneLine(legal_name)})`;
  const facts: readonly (readonly [string, string])[] = [
    [texts.seller, `${name}${legal}`],
    [texts.amount, amountText(payment, language)],
    [texts.date, formatTime(paidAt, language)],
    ...(payment.description === null ? [] : [[texts.description, oneLine(payment.description)] as const]),
    [texts.payment, payment.id],
  ];
  const contacts = [support_email, support_phone, website_url].filter((contact) => contact !== null);
  const paragraphs = [
    ...(payment.mode === 'sandbox' ? [texts.test] : []),
    texts.thanks,
    facts.map(([label, value]) => `${label}: ${value}`).join('\n'),
    ...(contacts.length > 0 ? [[texts.questions, ...contacts].join('\n')] : []),
  ];
  return { subject: texts.subject(name), text: `${paragraphs.join('\n\n')}\n` };
}

/** Several currencies share a sign, so the code is there too. */
function amountText(payment: Payment, language: string): string {
  const { currency } = payment;
  const text = formatAmount(paidAmount(payment), currency, language);
  return text.includes(currency) ? text : `${text} ${currency}`;
}
