/**
 * A charge has one of three references: a payment link's id, a payment's `pspReference`, or, while nothing is
 * authorised, our attempt's id, which Adyen knows too. A `pspReference` has 16 characters, a link's id more.
 */
export const isLink = (reference: string): boolean => /^PL[0-9A-Z]{16,40}$/.test(reference);

const ON_PAGE = '-page';

/**
 * The reference that Adyen gives charges of a payment link. Only the reference of a notification is signed, and a
 * declined try on a page is no end: so the reference must show that it is a page's.
 */
export const pageReference = (attemptId: string): string => attemptId + ON_PAGE;

/** The attempt's id in what Adyen calls its charge. */
export function readReference(merchantReference: string): { readonly attemptId: string; readonly onPage: boolean } {
  const onPage = merchantReference.endsWith(ON_PAGE);
  return { attemptId: onPage ? merchantReference.slice(0, -ON_PAGE.length) : merchantReference, onPage };
}

/**
 * Modifications have a reference made of the payment's id and their own: later notices carry nothing else of ours, and
 * it is signed.
 */
export const modificationReference = (paymentId: string, id: string): string => `${paymentId}.${id}`;

export function readModification(merchantReference: string): {
  readonly paymentId: string | undefined;
  readonly id: string;
} {
  const [, paymentId, id = merchantReference] = /^(pay_[0-9a-z]{26})\.(.+)$/.exec(merchantReference) ?? [];
  return { paymentId, id };
}
