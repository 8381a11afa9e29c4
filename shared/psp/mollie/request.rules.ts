import { shortened } from '#shared/kernel/shortened.ts';
import { type ChargeOrder, PspUnasked, type RefundOrder } from '#shared/ports/psp.port.ts';
import { MANDATE_TYPES, METHOD_TYPES } from '#shared/psp/mollie/capabilities.ts';
import { type MollieAmount, mollieAmount } from '#shared/psp/mollie/money.rules.ts';
import { MollieToken } from '#shared/psp/mollie/token.schema.ts';

type Body = Readonly<Record<string, unknown>>;

/** Without a token Mollie shows its page. Capture is automatic unless requested otherwise. */
export function paymentBody(order: ChargeOrder): Body {
  return {
    amount: priceOf(order),
    description: shortened(order.description ?? '', 255) || 'Payment',
    redirectUrl: order.returnUrl,
    webhookUrl: order.callbackUrl,
    metadata: order.metadata,
    ...methodOf(order),
  };
}

/**
 * The refund's own id lets a repeat find it among the charge's refunds, long after its idempotency key is forgotten.
 */
export function refundBody(order: RefundOrder): Body {
  return { amount: priceOf(order), description: 'Refund', metadata: { ...order.metadata, refund_id: order.refundId } };
}

function priceOf({ amount, currency }: { readonly amount: number; readonly currency: string }): MollieAmount {
  const price = mollieAmount(amount, currency);
  if (price === undefined)
    throw new PspUnasked('amount_not_supported', `Mollie can't be asked for exactly this amount of ${currency}.`);
  return price;
}

function methodOf(order: ChargeOrder): Body {
  const { method, paymentMethod, offSession } = order;
  const types = Object.hasOwn(METHOD_TYPES, method) ? METHOD_TYPES[method] : undefined;
  if (types === undefined) throw new PspUnasked('method_not_supported', 'Mollie has no such payment method.');
  const token = paymentMethod.token === undefined ? undefined : tokenOf(paymentMethod.token);
  if (typeof token === 'object')
    return offSession || method === 'sepa_debit'
      ? underMandate(method, token)
      : { method: types, customerId: token.customer };
  if (offSession)
    throw new PspUnasked(
      'invalid_payment_method',
      'Mollie charges a customer who is away under a mandate only: an object with customer and mandate.',
    );
  return token === undefined ? { method: types } : spent(method, token);
}

function tokenOf(given: unknown): MollieToken {
  const token = MollieToken.safeParse(given);
  if (!token.success)
    throw new PspUnasked(
      'invalid_payment_method',
      'A Mollie token is a string, or an object with customer and mandate.',
    );
  return token.data;
}

/**
 * Charged at once, without the customer's page. With the customer present only debits are: for anything else they go to
 * Mollie's page, which knows their cards, and where the bank can authenticate them.
 */
function underMandate(method: string, { customer, mandate }: Extract<MollieToken, object>): Body {
  const type = Object.hasOwn(MANDATE_TYPES, method) ? MANDATE_TYPES[method] : undefined;
  if (type === undefined)
    throw new PspUnasked('invalid_payment_method', 'This payment method leaves no mandate at Mollie.');
  return { ...(type && { method: type }), sequenceType: 'recurring', customerId: customer, mandateId: mandate };
}

/** Fields that pay once. */
function spent(method: string, token: string): Body {
  if (method === 'card') return { method: 'creditcard', cardToken: token };
  if (method === 'wallet') return { method: 'applepay', applePayPaymentToken: token };
  throw new PspUnasked(
    'invalid_payment_method',
    'At Mollie only cards and wallets are paid with a token that is a string.',
  );
}
