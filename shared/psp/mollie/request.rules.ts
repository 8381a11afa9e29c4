import { type ChargeOrder, PspRefused, type RefundOrder } from '#shared/ports/psp.port.ts';
import { METHOD_TYPES } from '#shared/psp/mollie/capabilities.ts';
import { type MollieAmount, mollieAmount } from '#shared/psp/mollie/money.rules.ts';
import { MollieToken } from '#shared/psp/mollie/token.schema.ts';

type Body = Readonly<Record<string, unknown>>;

/** Without a token Mollie shows its page. Capture is automatic there unless asked otherwise. */
export function paymentBody(order: ChargeOrder): Body {
  return {
    amount: priceOf(order),
    description: order.description?.slice(0, 255).toWellFormed() || 'Payment',
    redirectUrl: order.returnUrl,
    webhookUrl: order.callbackUrl,
    metadata: order.metadata,
    ...methodOf(order),
  };
}

/** The refund's own id lets a repeat find it among the charge's refunds, long after its idempotency key is forgotten. */
export function refundBody(order: RefundOrder): Body {
  return { amount: priceOf(order), description: 'Refund', metadata: { ...order.metadata, refund_id: order.refundId } };
}

function priceOf({ amount, currency }: { readonly amount: number; readonly currency: string }): MollieAmount {
  const price = mollieAmount(amount, currency);
  if (price === undefined) throw new PspRefused('request', `Mollie can't be asked for exactly this amount of ${currency}.`);
  return price;
}

function methodOf({ method, paymentMethod }: ChargeOrder): Body {
  const types = Object.hasOwn(METHOD_TYPES, method) ? METHOD_TYPES[method] : undefined;
  if (types === undefined) throw new PspRefused('request', 'Mollie has no such payment method.');
  if (paymentMethod.token === undefined) return { method: types };
  const token = MollieToken.safeParse(paymentMethod.token);
  if (!token.success) throw new PspRefused('request', 'A Mollie token is a string, or an object with customer and mandate.');
  if (typeof token.data !== 'string') return { method: types, sequenceType: 'recurring', customerId: token.data.customer, mandateId: token.data.mandate };
  if (method === 'card') return { method: 'creditcard', cardToken: token.data };
  if (method === 'wallet') return { method: 'applepay', applePayPaymentToken: token.data };
  throw new PspRefused('request', 'At Mollie only cards and wallets are paid with a token that is a string.');
}
