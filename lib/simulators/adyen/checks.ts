import { type Body, invalid, refused } from '#lib/simulators/adyen/answers.ts';
import { isListed } from '#lib/simulators/adyen/money.ts';
import type { Amount } from '#lib/simulators/adyen/objects.ts';
import { isObject, textAt } from '#lib/simulators/frame/json.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { DAY } from '#shared/kernel/clock.ts';

/** Fields of both kinds of charge. */
const CHARGE = `amount applicationInfo billingAddress captureDelayHours countryCode deliveryAddress lineItems mcc merchantAccount merchantOrderReference metadata
  recurringProcessingModel reference returnUrl riskData shopperEmail shopperLocale shopperName shopperReference shopperStatement splits store telephoneNumber`;
const PAYMENT = `${CHARGE} accountInfo additionalData authenticationData browserInfo channel dateOfBirth deviceFingerprint installments mpiData origin paymentMethod
  redirectFromIssuerMethod redirectToIssuerMethod sessionValidity shopperIP shopperInteraction storePaymentMethod threeDS2RequestData`;
const LINK = `${CHARGE} allowedPaymentMethods blockedPaymentMethods description expiresAt manualCapture requiredShopperFields reusable storePaymentMethodMode themeId`;

function known(structure: string, names: string): (body: Body) => void {
  const fields = new Set(names.split(/\s+/));
  return (body) => {
    const unknown = Object.keys(body).filter((name) => !fields.has(name));
    if (unknown.length > 0)
      throw invalid('702', `Structure of ${structure} contains the following unknown fields: [${unknown.join(', ')}]`);
  };
}

export const textIn = (body: Body, name: string): string => textAt(body, name) ?? '';

export function amountIn(body: Body): Amount {
  const { amount } = body;
  if (!isObject(amount) || typeof amount.currency !== 'string') throw invalid('100', 'No amount specified');
  const { value, currency } = amount;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
    throw invalid('137', 'Invalid amount specified');
  if (!isListed(currency)) throw invalid('138', 'Unsupported currency specified');
  return { value, currency };
}

export function metadataIn({ metadata = {} }: Body): Readonly<Record<string, string>> {
  const pairs = Object.entries(isObject(metadata) ? metadata : {}).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  const fits = isObject(metadata) && pairs.length === Object.keys(metadata).length && pairs.length <= 20;
  if (!fits || pairs.some(([name, value]) => name.length > 20 || value.length > 80))
    throw invalid('177', 'Metadata size exceeds limit');
  return Object.fromEntries(pairs);
}

/** Which merchant accounts a key may act for is not known here, only what a name looks like. */
export function checkAccount(body: Body): void {
  if (!/^[\w.-]{1,100}$/.test(textIn(body, 'merchantAccount')))
    throw refused(403, '901', 'Invalid Merchant Account', 'security');
}

function checkReference(body: Body): void {
  const { length } = textIn(body, 'reference');
  if (length < 1 || length > 80)
    throw invalid('130', length === 0 ? 'Required field reference is not provided.' : 'Reference too long');
}

function checkCharge(body: Body): void {
  checkAccount(body);
  checkReference(body);
  amountIn(body);
  metadataIn(body);
  const { captureDelayHours: delay = 0, countryCode: country = 'NL' } = body;
  if (delay !== 0) throw invalid('14_000', 'This simulator captures at once only: captureDelayHours must be 0.');
  if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)) throw invalid('14_001', 'Invalid country code');
}

const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text) && text.length <= 1024;

const knownPayment = known('PaymentRequest', PAYMENT);
export function checkPayment(body: Body): void {
  knownPayment(body);
  checkCharge(body);
  if (!isUrl(textIn(body, 'returnUrl'))) throw invalid('14_030', 'Return URL is missing.');
}

const LONGEST_LINK = 70 * DAY;
const knownLink = known('PaymentLinkRequest', LINK);
export function checkLink(body: Body, work: Work): void {
  knownLink(body);
  checkCharge(body);
  const { expiresAt, description = '', allowedPaymentMethods: allowed = [] } = body;
  const life = expiresAt === undefined ? DAY : Date.parse(String(expiresAt)) - work.now.getTime();
  if (!(life > 0 && life <= LONGEST_LINK))
    throw invalid('14_017', 'The expiry date of a payment link must lie within the next 70 days.');
  if (typeof description !== 'string' || description.length > 280)
    throw invalid('14_016', 'The description must not be longer than 280 characters.');
  if (!Array.isArray(allowed))
    throw invalid('702', "Structure of PaymentLinkRequest: 'allowedPaymentMethods' must be a list");
}

export const knownDetails = known(
  'PaymentDetailsRequest',
  'authenticationData details paymentData threeDSAuthenticationOnly',
);
export const knownRefund = known(
  'PaymentRefundRequest',
  'amount applicationInfo capturePspReference lineItems merchantAccount merchantRefundReason reference splits store',
);
export const knownCancel = known('PaymentCancelRequest', 'applicationInfo merchantAccount reference');
export const knownStandaloneCancel = known(
  'StandalonePaymentCancelRequest',
  'applicationInfo merchantAccount paymentReference reference',
);
