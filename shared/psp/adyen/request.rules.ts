import { DAY, plus } from '#shared/kernel/clock.ts';
import { shortened } from '#shared/kernel/shortened.ts';
import { type ChargeOrder, type PspMetadata, PspUnasked, type RefundOrder } from '#shared/ports/psp.port.ts';
import { DIRECT_TYPES, METHOD_TYPES } from '#shared/psp/adyen/capabilities.ts';
import type { AdyenCredentials } from '#shared/psp/adyen/credentials.schema.ts';
import { adyenUnits } from '#shared/psp/adyen/money.rules.ts';
import { modificationReference, pageReference } from '#shared/psp/adyen/references.rules.ts';
import { AdyenToken } from '#shared/psp/adyen/token.schema.ts';

type Account = Pick<AdyenCredentials, 'merchant_account'>;

/** A charge of a given method, or of one with its own page. */
export function paymentParams(order: ChargeOrder, account: Account): object {
  return {
    ...shared(order, account),
    reference: order.attemptId,
    ...methodOf(order),
    returnUrl: order.returnUrl,
    ...(order.offSession ? {} : { channel: 'Web', shopperIP: order.customerIp?.slice(0, 50) }),
  };
}

/** A page at Adyen. A repeat must send the same, so its expiry is computed from the first send. */
export function linkParams(order: ChargeOrder, account: Account): object {
  return {
    ...shared(order, account),
    reference: pageReference(order.attemptId),
    allowedPaymentMethods: METHOD_TYPES[order.method],
    description: order.description === null ? undefined : shortened(order.description, 280),
    returnUrl: order.returnUrl,
    expiresAt: plus(order.startedAt, DAY).toISOString(),
    reusable: false,
  };
}

export const refundParams = (order: RefundOrder, { merchant_account }: Account): object => ({
  merchantAccount: merchant_account,
  amount: priceOf(order),
  reference: modificationReference(order.paymentId, order.refundId),
});

/** Whether this call makes the charge, and not a page at Adyen. */
export const isDirect = ({ paymentMethod: { token }, method }: ChargeOrder): boolean =>
  token !== undefined || Object.hasOwn(DIRECT_TYPES, method);

const shared = (order: ChargeOrder, { merchant_account }: Account) => ({
  merchantAccount: merchant_account,
  amount: priceOf(order),
  captureDelayHours: 0,
  countryCode: order.country ?? undefined,
  shopperEmail: order.customerEmail ?? undefined,
  metadata: metadataOf(order.metadata),
});

function priceOf({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  const value = adyenUnits(amount, currency);
  if (value === undefined)
    throw new PspUnasked('amount_not_supported', `Adyen can't be asked for exactly this amount of ${currency}.`);
  return { value, currency };
}

const LONGEST_METADATA = 80;

/**
 * Adyen refuses a charge for a single too long value. Only the mail address can be that long, and it is in
 * `shopperEmail` anyway.
 */
const metadataOf = (metadata: PspMetadata): object =>
  Object.fromEntries(Object.entries(metadata).filter(([, value]) => value.length <= LONGEST_METADATA));

function methodOf(order: ChargeOrder): object {
  const type = DIRECT_TYPES[order.method];
  if (order.paymentMethod.token === undefined) return { paymentMethod: { type } };
  const token = AdyenToken.safeParse(order.paymentMethod.token);
  if (!token.success)
    throw new PspUnasked(
      'invalid_payment_method',
      'An Adyen token is the id of a saved method, or an object with one of the known methods.',
    );
  if ('storedPaymentMethodId' in token.data) return storedMethod(order, token.data);
  if (order.offSession)
    throw new PspUnasked(
      'invalid_payment_method',
      'While the customer is away, Adyen is asked to charge saved methods only.',
    );
  return { paymentMethod: { type: typeOf(token.data), ...token.data }, shopperInteraction: 'Ecommerce' };
}

type Saved = Extract<AdyenToken, { storedPaymentMethodId: string }>;

/**
 * Saved details are used by the customer, or off-session on a fixed schedule, which the customer agreed to when they
 * were saved.
 */
function storedMethod({ method, offSession }: ChargeOrder, { storedPaymentMethodId, shopperReference }: Saved): object {
  return {
    paymentMethod: { type: method === 'sepa_debit' ? 'sepadirectdebit' : 'scheme', storedPaymentMethodId },
    shopperReference,
    shopperInteraction: 'ContAuth',
    recurringProcessingModel: offSession ? 'Subscription' : 'CardOnFile',
  };
}

function typeOf(token: Exclude<AdyenToken, Saved>): string {
  if ('applePayToken' in token) return 'applepay';
  if ('googlePayToken' in token) return 'googlepay';
  if ('iban' in token) return 'sepadirectdebit';
  return 'blikCode' in token ? 'blik' : 'scheme';
}
