import { paidAmount } from '#shared/domain/payments/capture.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { refundableAmount } from '#shared/domain/payments/refund.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

type WithCapabilities = Pick<Connection, 'id' | 'capabilities'>;

/** Refuses a refund that the connection's present capabilities rule out. Automatic refunds are tried in any case. */
export function assertCanRefund(
  { id, capabilities }: WithCapabilities,
  payment: Payment,
  amount = refundableAmount(payment),
): void {
  if (!capabilities.refunds) {
    throw new AppError(
      'payment_not_refundable',
      `The connection ${id} makes no refunds (capabilities.refunds is false). Refund it at the provider.`,
    );
  }
  if (!capabilities.partial_refunds && amount < paidAmount(payment)) {
    throw new AppError(
      'payment_not_refundable',
      `The connection ${id} refunds a payment only as a whole (capabilities.partial_refunds is false).`,
    );
  }
}

export const canCancel = (connection: WithCapabilities | undefined): boolean =>
  connection?.capabilities.cancel !== false;

/** Why a payment was not canceled at its provider. */
export function notCancelable(connection: WithCapabilities | undefined, { status }: Payment): AppError {
  const reason = canCancel(connection)
    ? 'The provider did not cancel the payment'
    : `The connection ${connection?.id} cancels nothing (capabilities.cancel is false)`;
  return new AppError('payment_not_cancelable', `${reason}; the payment is ${status}.`);
}
