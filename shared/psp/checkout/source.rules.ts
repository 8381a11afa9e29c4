import { type ChargeOrder, PspUnasked } from '#shared/ports/psp.port.ts';
import { isOfBrowser } from '#shared/psp/checkout/token.rules.ts';
import { CheckoutToken } from '#shared/psp/checkout/token.schema.ts';

type Source = { readonly source: object; readonly previous_payment_id?: string };

/** The customer's token: of the browser's library (`tok_…`), or a saved instrument (`src_…`) with its first payment. */
export function tokenSource({ paymentMethod, offSession }: ChargeOrder): Source {
  const given = CheckoutToken.safeParse(paymentMethod.token);
  if (!given.success)
    throw new PspUnasked('invalid_payment_method', 'A Checkout.com token is a string, or an object with token or id.');
  const token = given.data;
  if (typeof token === 'string')
    return { source: isOfBrowser(token) ? { type: 'token', token } : { type: 'id', id: token } };
  if ('token' in token) return { source: { type: 'token', token: token.token } };
  const previous =
    offSession && token.previous_payment_id !== undefined ? { previous_payment_id: token.previous_payment_id } : {};
  return { source: { type: 'id', id: token.id }, ...previous };
}

/**
 * Methods that need no input we don't have, and redirect to the bank. Others, such as SEPA with its mandate, need more,
 * and go to a hosted page.
 */
export function directSource({ method, description, country }: ChargeOrder): object | undefined {
  switch (method) {
    case 'ideal':
      return { type: 'ideal', description: plain(description) };
    case 'bancontact':
      return { type: 'bancontact', payment_country: country ?? 'BE' };
    case 'eps':
      return { type: 'eps', purpose: plain(description) };
    case 'knet':
      return { type: 'knet', language: 'en' };
    default:
      return undefined;
  }
}

/** Banks refuse special characters in descriptions. */
const plain = (text: string | null): string =>
  text
    ?.replaceAll(/[^A-Za-z0-9 .-]/g, ' ')
    .trim()
    .slice(0, 27) || 'Payment';
