import { DAY, plus } from '#shared/kernel/clock.ts';
import { truncate } from '#shared/kernel/text.ts';
import type { CaptureOrder } from '#shared/ports/capture.port.ts';
import { type ChargeOrder, type PspMetadata, PspUnsupported, type RefundOrder } from '#shared/ports/psp.port.ts';
import { DIRECT_TYPES, METHOD_TYPES, SAVED_METHODS } from '#shared/psp/adyen/capabilities.ts';
import type { AdyenCredentials } from '#shared/psp/adyen/credentials.schema.ts';
import { additionalDetails, paymentDetails, processingModel, sharedDetails } from '#shared/psp/adyen/details.rules.ts';
import { adyenUnits } from '#shared/psp/adyen/money.rules.ts';
import { AdyenToken } from '#shared/psp/adyen/tokens.rules.ts';
import type { Money } from '#shared/psp/kit/money.ts';

type Account = Pick<AdyenCredentials, 'merchant_account'>;

/** A charge by token, or by a method that redirects at once. */
export function paymentParams(order: ChargeOrder, account: Account): object {
  return {
    ...commonFields(order, account),
    reference: order.attemptId,
    ...methodOf(order),
    returnUrl: order.returnUrl,
    ...additionalData(order),
    ...(order.offSession ? {} : { channel: 'Web', shopperIP: order.customerIp?.slice(0, 50) }),
    ...sharedDetails(order),
    ...paymentDetails(order),
    ...(savesMethod(order) && { storePaymentMethod: true, ...keptFor(order) }),
  };
}

function additionalData(order: ChargeOrder): { readonly additionalData?: object } {
  const entries = { ...(order.capture === 'manual' && { manualCapture: 'true' }), ...additionalDetails(order) };
  return Object.keys(entries).length > 0 ? { additionalData: entries } : {};
}

/** A saved method is kept already. */
const savesMethod = (order: ChargeOrder): boolean =>
  order.save !== undefined && !order.offSession && SAVED_METHODS.includes(order.method) && !usesSavedMethod(order);

/** The kept method may be charged in the customer's absence, on a schedule or without one. */
const keptFor = ({ save }: ChargeOrder): object => ({
  shopperReference: save?.customer,
  recurringProcessingModel: 'UnscheduledCardOnFile',
});

/** A page at Adyen. A repeat must send the same, so the expiry counts from the first send. */
export function linkParams(order: ChargeOrder, account: Account): object {
  return {
    ...commonFields(order, account),
    reference: pageReference(order.attemptId),
    allowedPaymentMethods: METHOD_TYPES[order.method],
    description: order.description === null ? undefined : truncate(order.description, 280),
    returnUrl: order.returnUrl,
    expiresAt: plus(order.startedAt, DAY).toISOString(),
    reusable: false,
    ...(order.capture === 'manual' && { manualCapture: true }),
    ...sharedDetails(order),
    ...(savesMethod(order) && { storePaymentMethodMode: 'enabled', ...keptFor(order) }),
  };
}

export const captureParams = (order: CaptureOrder, { merchant_account }: Account): object => ({
  merchantAccount: merchant_account,
  amount: priceOf(order),
  reference: modificationReference(order.paymentId, order.captureId),
});

export const refundParams = (order: RefundOrder, { merchant_account }: Account): object => ({
  merchantAccount: merchant_account,
  amount: priceOf(order),
  reference: modificationReference(order.paymentId, order.refundId),
});

/** Whether the charge is made at once, without a page at Adyen. */
export const isDirect = ({ paymentMethod: { token }, method }: ChargeOrder): boolean =>
  token !== undefined || Object.hasOwn(DIRECT_TYPES, method);

const commonFields = (order: ChargeOrder, { merchant_account }: Account) => ({
  merchantAccount: merchant_account,
  amount: priceOf(order),
  ...(order.capture !== 'manual' && { captureDelayHours: 0 }),
  countryCode: order.country ?? undefined,
  shopperEmail: order.customerEmail ?? undefined,
  metadata: metadataOf(order.metadata),
});

function priceOf({ amount, currency }: Money) {
  const value = adyenUnits(amount, currency);
  if (value === undefined)
    throw new PspUnsupported('amount_not_supported', `Adyen cannot charge exactly this amount of ${currency}.`);
  return { value, currency };
}

const MAX_METADATA_LENGTH = 80;

/**
 * Adyen refuses a charge if one value is too long. Only the mail address can be that long, and it is in `shopperEmail`
 * anyway.
 */
const metadataOf = (metadata: PspMetadata): object =>
  Object.fromEntries(Object.entries(metadata).filter(([, value]) => value.length <= MAX_METADATA_LENGTH));

function methodOf(order: ChargeOrder): object {
  const type = DIRECT_TYPES[order.method];
  if (order.paymentMethod.token === undefined) return { paymentMethod: { type } };
  const token = AdyenToken.safeParse(order.paymentMethod.token);
  if (!token.success)
    throw new PspUnsupported(
      'invalid_payment_method',
      'An Adyen token is the id of a saved method, or an object with one of the known methods.',
    );
  if ('storedPaymentMethodId' in token.data) return storedMethod(order, token.data);
  if (order.offSession)
    throw new PspUnsupported('invalid_payment_method', 'Off-session, Adyen charges saved methods only.');
  const { subtype: _, ...fields } = { subtype: undefined, ...token.data };
  return { paymentMethod: { ...fields, type: typeOf(token.data) }, shopperInteraction: 'Ecommerce' };
}

type StoredMethodToken = Extract<AdyenToken, { storedPaymentMethodId: string }>;

export function usesSavedMethod({ paymentMethod }: Pick<ChargeOrder, 'paymentMethod'>): boolean {
  const { data } = AdyenToken.safeParse(paymentMethod.token);
  return data !== undefined && 'storedPaymentMethodId' in data;
}

/**
 * Saved details are used by the customer, or off-session, on a fixed schedule if nothing else is said. The customer
 * agreed to that when they were saved.
 */
function storedMethod(order: ChargeOrder, { shopperReference, ...fields }: StoredMethodToken): object {
  return {
    paymentMethod: { type: order.method === 'sepa_debit' ? 'sepadirectdebit' : 'scheme', ...fields },
    shopperReference,
    shopperInteraction: 'ContAuth',
    recurringProcessingModel: order.offSession ? processingModel(order) : 'CardOnFile',
  };
}

function typeOf(token: Exclude<AdyenToken, StoredMethodToken>): string {
  if ('applePayToken' in token) return 'applepay';
  if ('googlePayToken' in token) return 'googlepay';
  if ('iban' in token) return 'sepadirectdebit';
  if ('blikCode' in token) return 'blik';
  return token.type ?? 'scheme';
}

/**
 * A charge has one of three references: a payment link's id, a payment's `pspReference`, or, while nothing is
 * authorised, our attempt's id, which Adyen knows too. A `pspReference` has 16 characters, a link's id more.
 */
export const isLink = (reference: string): boolean => /^PL[0-9A-Z]{16,40}$/.test(reference);

const PAGE_SUFFIX = '-page';

/**
 * The reference that Adyen gives charges of a payment link. Only the reference of a notification is signed, and a
 * declined try does not end a page. So the reference must show that the charge is a page's.
 */
const pageReference = (attemptId: string): string => attemptId + PAGE_SUFFIX;

/** The attempt's id in a charge's reference, and whether the charge is a page's. */
export function readReference(merchantReference: string): { readonly attemptId: string; readonly onPage: boolean } {
  const onPage = merchantReference.endsWith(PAGE_SUFFIX);
  return { attemptId: onPage ? merchantReference.slice(0, -PAGE_SUFFIX.length) : merchantReference, onPage };
}

/**
 * A modification's reference holds the payment's id and its own. Later notifications carry nothing else of ours, and
 * the reference is signed.
 */
export const modificationReference = (paymentId: string, id: string): string => `${paymentId}.${id}`;

export function readModification(merchantReference: string): {
  readonly paymentId: string | undefined;
  readonly id: string;
} {
  const [, paymentId, id = merchantReference] = /^(pay_[0-9a-z]{26})\.(.+)$/.exec(merchantReference) ?? [];
  return { paymentId, id };
}
