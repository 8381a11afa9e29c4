import { type ChargeOrder, PspUnasked } from '#shared/ports/psp.port.ts';
import { isOfBrowser } from '#shared/psp/checkout/token.rules.ts';
import { CheckoutToken } from '#shared/psp/checkout/token.schema.ts';

type Source = { readonly source: object; readonly previous_payment_id?: string };

/** What the customer brought: a token of the browser's library (`tok_…`), or a saved instrument (`src_…`) with what its series goes back to. */
export function tokenSource({ paymentMethod, offSession }: ChargeOrder): Source {
  const given = CheckoutToken.safeParse(paymentMethod.token);
  if (!given.success) throw new PspUnasked('invalid_payment_method', 'A Checkout.com token is a string, or an object with token or id.');
  const token = given.data;
  if (typeof token === 'string') return { source: isOfBrowser(token) ? { type: 'token', token } : { type: 'id', id: token } };
  if ('token' in token) return { source: { type: 'token', token: token.token } };
  const previous = offSession && token.previous_payment_id !== undefined ? { previous_payment_id: token.previous_payment_id } : {};
  return { source: { type: 'id', id: token.id }, ...previous };
}

/**
 * The methods that ask for nothing of the customer which we don't know, and send them to their bank. The others, SEPA with
 * its mandate above all, want more, and have it asked on a hosted page.
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

/** Banks refuse descriptions with signs in them. */
const plain = (text: string | null): string =>
  text
    ?.replaceAll(/[^A-Za-z0-9 .-]/g, ' ')
    .trim()
    .slice(0, 27) || 'Payment';
