import { checkDetails } from '#lib/simulators/adyen/details.ts';
import { apiError, invalid, json } from '#lib/simulators/adyen/errors.ts';
import { isSupported } from '#lib/simulators/adyen/money.ts';
import type { Amount } from '#lib/simulators/adyen/objects.ts';
import { isObject, parseObject, textAt } from '#lib/simulators/kit/json.ts';
import type { Call, Input, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { DAY } from '#shared/kernel/clock.ts';

export type Body = Input;

export type ApiRequest = { readonly body: Body; readonly id: string; readonly call: Call };

type Endpoint = {
  readonly method: Route['method'];
  readonly path: string;
  readonly operation: string;
  readonly status: number;
  readonly check: (body: Body, work: UnitOfWork) => void;
  readonly run: (request: ApiRequest, work: UnitOfWork) => object;
};

/** A route of the API: validates the body, runs, and responds with JSON. */
export const apiRoute = ({ method, path, operation, status, check, run }: Endpoint): Route => ({
  method,
  path,
  operation,
  run: (call, work) => {
    const body = method === 'GET' ? {} : parseBody(call);
    check(body, work);
    return json(status, run({ body, id: call.params.id ?? '', call }, work));
  },
});

function parseBody({ request: { body, headers }, key }: Call): Body {
  if (!headers['content-type']?.startsWith('application/json'))
    throw apiError(415, '000', 'HTTP Status Response - Unsupported Media Type');
  if ((key?.length ?? 0) > 64) throw invalid('702', 'The Idempotency-Key must not be longer than 64 characters');
  const read = parseObject(body);
  if (!read) throw apiError(400, '702', 'Invalid JSON payload');
  return read;
}

/** Fields that a payment and a payment link share. */
const CHARGE_FIELDS = `amount applicationInfo billingAddress captureDelayHours countryCode deliveryAddress lineItems mcc
  merchantAccount merchantOrderReference metadata recurringProcessingModel reference returnUrl riskData
  shopperEmail shopperLocale shopperName shopperReference shopperStatement splits store telephoneNumber`;
const PAYMENT_FIELDS = `${CHARGE_FIELDS} accountInfo additionalData authenticationData browserInfo channel dateOfBirth
  deviceFingerprint installments mpiData origin paymentMethod redirectFromIssuerMethod redirectToIssuerMethod
  sessionValidity shopperIP shopperInteraction storePaymentMethod threeDS2RequestData`;
const LINK_FIELDS = `${CHARGE_FIELDS} allowedPaymentMethods blockedPaymentMethods description expiresAt manualCapture
  requiredShopperFields reusable storePaymentMethodMode themeId threeDS2RequestData`;

function fieldCheck(structure: string, names: string): (body: Body) => void {
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
  if (!isSupported(currency)) throw invalid('138', 'Unsupported currency specified');
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

/** A key works for its own merchant account only. Of a key that nobody registered, only the format is known. */
export function checkAccount(body: Body, { accountPublicId }: Pick<UnitOfWork, 'accountPublicId'>): void {
  const account = textIn(body, 'merchantAccount');
  if (!/^[\w.-]{1,100}$/.test(account) || (accountPublicId !== null && account !== accountPublicId))
    throw apiError(403, '901', 'Invalid Merchant Account', 'security');
}

function checkReference(body: Body): void {
  const { length } = textIn(body, 'reference');
  if (length < 1 || length > 80)
    throw invalid('130', length === 0 ? 'Required field reference is not provided.' : 'Reference too long');
}

function checkCharge(body: Body, work: UnitOfWork): void {
  checkAccount(body, work);
  checkReference(body);
  amountIn(body);
  metadataIn(body);
  const { captureDelayHours: delay = 0, countryCode: country = 'NL' } = body;
  if (delay !== 0)
    throw invalid('14_000', 'This simulator captures at once, or by request: captureDelayHours must be 0 or missing.');
  if (isManual(body) && body.captureDelayHours !== undefined)
    throw invalid('14_000', 'captureDelayHours cannot be combined with manualCapture.');
  if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)) throw invalid('14_001', 'Invalid country code');
  checkDetails(body);
}

/** A payment says it in its additional data, as a text; a payment link in a field of its own. */
export const isManual = (body: Body): boolean =>
  textAt(body, 'additionalData', 'manualCapture') === 'true' || body.manualCapture === true;

const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text) && text.length <= 1024;

const checkPaymentFields = fieldCheck('PaymentRequest', PAYMENT_FIELDS);
/** Fields of the payment methods that this simulator knows, as Adyen's browser library sends them too. */
const checkMethodFields = fieldCheck(
  'paymentMethod',
  `applePayToken billingSequenceNumber blikCode brand checkoutAttemptId encryptedCard encryptedCardNumber
  encryptedExpiryMonth encryptedExpiryYear encryptedPassword encryptedSecurityCode fastlaneData fundingSource
  googlePayCardNetwork googlePayToken holderName iban issuer networkPaymentReference ownerName recurringDetailReference
  sdkData shopperNotificationReference storedPaymentMethodId threeDS2SdkVersion type`,
);
export function checkPayment(body: Body, work: UnitOfWork): void {
  checkPaymentFields(body);
  checkCharge(body, work);
  checkMethodFields(isObject(body.paymentMethod) ? body.paymentMethod : {});
  if (!isUrl(textIn(body, 'returnUrl'))) throw invalid('14_030', 'Return URL is missing.');
}

const MAX_LINK_LIFE_MS = 70 * DAY;
const checkLinkFields = fieldCheck('PaymentLinkRequest', LINK_FIELDS);
export function checkLink(body: Body, work: UnitOfWork): void {
  checkLinkFields(body);
  checkCharge(body, work);
  const { expiresAt, description = '', allowedPaymentMethods: allowed = [] } = body;
  const life = expiresAt === undefined ? DAY : Date.parse(String(expiresAt)) - work.now.getTime();
  if (!(life > 0 && life <= MAX_LINK_LIFE_MS))
    throw invalid('14_017', 'The expiry date of a payment link must lie within the next 70 days.');
  if (typeof description !== 'string' || description.length > 280)
    throw invalid('14_016', 'The description must not be longer than 280 characters.');
  if (!Array.isArray(allowed))
    throw invalid('702', "Structure of PaymentLinkRequest: 'allowedPaymentMethods' must be a list");
}

export const checkDetailsFields = fieldCheck(
  'PaymentDetailsRequest',
  'authenticationData details paymentData threeDSAuthenticationOnly',
);
export const checkRefundFields = fieldCheck(
  'PaymentRefundRequest',
  'amount applicationInfo capturePspReference lineItems merchantAccount merchantRefundReason reference splits store',
);
export const checkCaptureFields = fieldCheck(
  'PaymentCaptureRequest',
  `amount applicationInfo enhancedSchemeData lineItems merchantAccount platformChargebackLogic reference splits
  subMerchants`,
);
export const checkCancelFields = fieldCheck('PaymentCancelRequest', 'applicationInfo merchantAccount reference');
export const checkStandaloneCancelFields = fieldCheck(
  'StandalonePaymentCancelRequest',
  'applicationInfo merchantAccount paymentReference reference',
);

const ALLOWED_VALUES = {
  shopperInteraction: ['Ecommerce', 'ContAuth', 'Moto', 'POS'],
  recurringProcessingModel: ['CardOnFile', 'Subscription', 'UnscheduledCardOnFile'],
} as const;

/** Processing models of off-session charges. */
const MERCHANT_INITIATED_MODELS: ReadonlySet<string> = new Set(['Subscription', 'UnscheduledCardOnFile']);

/** Whether the merchant charges off-session. With `Ecommerce` the same models only save the details for later. */
export const isOffSession = (body: Body): boolean =>
  textIn(body, 'shopperInteraction') === 'ContAuth' &&
  MERCHANT_INITIATED_MODELS.has(textIn(body, 'recurringProcessingModel'));

export function checkRecurring(body: Body): void {
  for (const [name, choices] of Object.entries(ALLOWED_VALUES)) {
    const value = body[name];
    if (value !== undefined && !choices.some((choice) => choice === value))
      throw invalid('702', `Unexpected value of '${name}'`);
  }
  const stored = isObject(body.paymentMethod) && typeof body.paymentMethod.storedPaymentMethodId === 'string';
  if (stored && MERCHANT_INITIATED_MODELS.has(textIn(body, 'recurringProcessingModel')) && !isOffSession(body)) {
    throw invalid('807', 'Invalid combination of shopper interaction and recurring-contract');
  }
  if (isOffSession(body) && !stored && textIn(body, 'shopperReference') === '')
    throw invalid('14_018', "Required field 'shopperReference' is not provided.");
}
