import type { CaptureOrder } from '#shared/ports/capture.port.ts';
import { type ChargeOrder, PspUnsupported, type RefundOrder } from '#shared/ports/psp.port.ts';
import type { Money } from '#shared/psp/kit/money.ts';
import { CAPTURE_METHODS, MANDATE_TYPES, METHOD_TYPES } from '#shared/psp/mollie/capabilities.ts';
import { descriptionOf, detailFields } from '#shared/psp/mollie/details.rules.ts';
import { type MollieAmount, mollieAmount } from '#shared/psp/mollie/money.rules.ts';
import { MollieToken } from '#shared/psp/mollie/tokens.rules.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * Without a token Mollie shows its page. Capture is automatic unless requested otherwise. `customer`: whose mandate the
 * charge makes, if it succeeds.
 */
export function paymentBody(order: ChargeOrder, customer?: string): Body {
  return {
    amount: priceOf(order),
    description: descriptionOf(order),
    redirectUrl: order.returnUrl,
    webhookUrl: order.callbackUrl,
    metadata: order.metadata,
    ...methodOf(order),
    ...(customer !== undefined && { sequenceType: 'first', customerId: customer }),
    ...(order.capture === 'manual' && captureFields(order)),
    ...detailFields(order),
  };
}

function captureFields({ method }: ChargeOrder): Body {
  if (!CAPTURE_METHODS.includes(method))
    throw new PspUnsupported('method_not_supported', 'Mollie cannot hold the money of this payment method.');
  return { captureMode: 'manual' };
}

/** Its metadata say whose capture it is, and that the rest is to be released: a repeat and a look-up go by them. */
export const captureBody = (order: CaptureOrder): Body => ({
  amount: priceOf(order),
  metadata: { ...order.metadata, capture_id: order.captureId, ...(order.final && { final: true }) },
});

/** The refund's id is in the metadata, so a repeat finds the refund even after its idempotency key has expired. */
export function refundBody(order: RefundOrder): Body {
  return { amount: priceOf(order), description: 'Refund', metadata: { ...order.metadata, refund_id: order.refundId } };
}

function priceOf({ amount, currency }: Money): MollieAmount {
  const price = mollieAmount(amount, currency);
  if (price === undefined)
    throw new PspUnsupported('amount_not_supported', `Mollie cannot charge exactly this amount of ${currency}.`);
  return price;
}

function methodOf(order: ChargeOrder): Body {
  const { method, paymentMethod, offSession } = order;
  const types = Object.hasOwn(METHOD_TYPES, method) ? METHOD_TYPES[method] : undefined;
  if (types === undefined)
    throw new PspUnsupported('method_not_supported', 'Mollie does not support this payment method.');
  const token = paymentMethod.token === undefined ? undefined : tokenOf(paymentMethod.token);
  if (typeof token === 'object')
    return offSession || method === 'sepa_debit'
      ? mandateFields(method, token)
      : { method: types, customerId: token.customer };
  if (offSession)
    throw new PspUnsupported(
      'invalid_payment_method',
      'Off-session, Mollie charges only under a mandate: an object with customer and mandate.',
    );
  return token === undefined ? { method: types } : singleUseFields(method, token);
}

function tokenOf(input: unknown): MollieToken {
  const token = MollieToken.safeParse(input);
  if (!token.success)
    throw new PspUnsupported(
      'invalid_payment_method',
      'A Mollie token is a string, or an object with customer and mandate.',
    );
  return token.data;
}

/**
 * A mandate charge is made at once, without a page. On-session this is done for debits only. For other methods the
 * customer goes to Mollie's page, which offers their saved cards and lets the bank authenticate them.
 */
function mandateFields(method: string, { customer, mandate }: Extract<MollieToken, object>): Body {
  const type = Object.hasOwn(MANDATE_TYPES, method) ? MANDATE_TYPES[method] : undefined;
  if (type === undefined)
    throw new PspUnsupported('invalid_payment_method', 'Mollie has no mandates for this payment method.');
  return { ...(type && { method: type }), sequenceType: 'recurring', customerId: customer, mandateId: mandate };
}

/** A token that pays once. */
function singleUseFields(method: string, token: string): Body {
  if (method === 'card') return { method: 'creditcard', cardToken: token };
  if (method === 'wallet') return { method: 'applepay', applePayPaymentToken: token };
  throw new PspUnsupported('invalid_payment_method', 'Mollie accepts a string token only for cards and wallets.');
}
