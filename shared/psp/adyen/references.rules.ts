/**
 * A charge goes by one of three references: the id of a payment link, the `pspReference` of a payment, or, while nothing is
 * authorised yet, our own attempt's id, as which Adyen knows it too. A `pspReference` has 16 characters, a link's id more.
 */
export const isLink = (reference: string): boolean => /^PL[0-9A-Z]{16,40}$/.test(reference);

const ON_PAGE = '-page';

/**
 * What Adyen calls the charge of a payment link. A declined try on its page is no end, and of all that a notification says
 * only the reference is signed: so it is the reference that tells of the page.
 */
export const pageReference = (attemptId: string): string => attemptId + ON_PAGE;

/** The attempt's id in what Adyen calls its charge. */
export function readReference(merchantReference: string): { readonly attemptId: string; readonly onPage: boolean } {
  const onPage = merchantReference.endsWith(ON_PAGE);
  return { attemptId: onPage ? merchantReference.slice(0, -ON_PAGE.length) : merchantReference, onPage };
}

/** What is done to a payment goes by the payment's id and its own: later notices carry nothing else of ours, and this is signed. */
export const modificationReference = (paymentId: string, id: string): string => `${paymentId}.${id}`;

export function readModification(merchantReference: string): { readonly paymentId: string | undefined; readonly id: string } {
  const [, paymentId, id = merchantReference] = /^(pay_[0-9a-z]{26})\.(.+)$/.exec(merchantReference) ?? [];
  return { paymentId, id };
}
