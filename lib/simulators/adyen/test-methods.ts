import { refusalCodeFor, refusalCodeOfHolder, requestedRefusal } from '#lib/simulators/adyen/declines.ts';
import { invalid } from '#lib/simulators/adyen/errors.ts';
import type { TestMethod } from '#lib/simulators/adyen/objects.ts';
import type { Body } from '#lib/simulators/adyen/requests.ts';
import { declineCodeIn } from '#lib/simulators/kit/behaviour.ts';
import { isObject } from '#lib/simulators/kit/json.ts';

const CARD: TestMethod = { type: 'scheme', flow: 'at_once', paidAway: false, refusal: null };

/** The card that the customer uses on a page. */
export const ANY_CARD = CARD;

/** The test tokens that every simulator accepts. */
function testToken(text: string): TestMethod | undefined {
  if (text === 'ok') return CARD;
  if (text === 'needs_3ds') return { ...CARD, flow: 'redirect' };
  if (text === 'needs_3ds_form') return { ...CARD, flow: 'redirect', by: 'form' };
  if (text === 'needs_3ds_component') return { ...CARD, flow: 'redirect', by: 'component' };
  if (text === 'needs_browser') return { ...CARD, flow: 'redirect', needsBrowser: true };
  if (text === 'pending') return { ...CARD, flow: 'pending' };
  const refused = requestedRefusal(text);
  if (refused) return { ...CARD, refusal: refused.code, data: refused.data };
  const decline = declineCodeIn(text);
  return decline && { ...CARD, refusal: refusalCodeFor(decline) };
}

/** Documented test cards that require 3-D Secure. The test environment accepts them unencrypted. */
const AUTHENTICATED_CARDS = new Set(['4917610000000000', '4212345678901237']);

function encryptedCard({
  encryptedCardNumber: number,
  encryptedExpiryMonth: month,
  encryptedExpiryYear: year,
  holderName,
  brand,
}: Body): TestMethod {
  if (typeof number !== 'string' || typeof month !== 'string' || typeof year !== 'string')
    throw invalid('14_004', 'Missing payment method details');
  const pan = /^test_(\d{12,19})$/.exec(number)?.[1];
  const known =
    testToken(number) ??
    (pan || /^(adyen|eyJ)/.test(number)
      ? { ...CARD, flow: AUTHENTICATED_CARDS.has(pan ?? '') ? 'redirect' : 'at_once' }
      : undefined);
  if (!known) throw invalid('174', 'Unable to decrypt data');
  const chosen = typeof brand === 'string' ? { brand } : {};
  const refusal = typeof holderName === 'string' ? refusalCodeOfHolder(holderName) : undefined;
  if (refusal !== undefined) return { ...CARD, ...chosen, refusal };
  return { ...CARD, ...known, ...chosen, flow: flowOf(known) };
}

const flowOf = ({ flow }: { readonly flow: string }): TestMethod['flow'] =>
  flow === 'redirect' || flow === 'pending' ? flow : 'at_once';

function storedMethod(id: string, type: string, shopper: unknown): TestMethod {
  const known = testToken(id);
  if (known) return { ...known, type };
  if (typeof shopper !== 'string') throw invalid('14_018', "Required field 'shopperReference' is not provided.");
  if (!/^[A-Z0-9]{16}$/.test(id)) throw invalid('803', 'PaymentDetail not found');
  return { ...CARD, type };
}

const wallet = (type: string, token: unknown): TestMethod => {
  if (typeof token !== 'string' || token === '') throw invalid('14_004', 'Missing payment method details');
  return { ...(testToken(token) ?? CARD), type };
};

/** A European card is refused, unless the request says in which browser its holder can be authenticated. */
export function methodOf(body: Body): TestMethod {
  const method = givenMethod(body);
  return method.needsBrowser && !isObject(body.browserInfo)
    ? { ...method, flow: 'at_once', refusal: refusalCodeFor('authentication_required') }
    : method;
}

/** The payment method of the request. */
function givenMethod({ paymentMethod, shopperReference }: Body): TestMethod {
  if (!isObject(paymentMethod) || typeof paymentMethod.type !== 'string')
    throw invalid('14_004', 'Missing payment method details');
  const { type, storedPaymentMethodId: stored } = paymentMethod;
  if (typeof stored === 'string') return storedMethod(stored, type, shopperReference);
  if (['scheme', 'card', 'bcmc'].includes(type)) return { ...encryptedCard(paymentMethod), type };
  if (type === 'applepay') return wallet(type, paymentMethod.applePayToken);
  if (type === 'googlepay') return wallet(type, paymentMethod.googlePayToken);
  if (type === 'sepadirectdebit' && typeof paymentMethod.iban === 'string') return { ...CARD, type, flow: 'pending' };
  if (type === 'blik' && typeof paymentMethod.blikCode === 'string') return { ...CARD, type, flow: 'pending' };
  if (['ideal', 'alipay'].includes(type)) return { ...CARD, type, flow: 'redirect', paidAway: true };
  throw invalid('905_1', 'Could not find an acquirer account for the provided txvariant, currency, and action.');
}

/** Off-session the shopper is absent: an issuer that requires authentication refuses. */
export const offSessionMethod = (method: TestMethod): TestMethod =>
  method.flow === 'redirect'
    ? { ...method, flow: 'at_once', refusal: refusalCodeFor('authentication_required') }
    : method;
