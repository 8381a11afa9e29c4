import type { StepContext } from '#functions/workflow-runs/step-context.ts';
import { filledMetadata, filledReason } from '#functions/workflow-runs/steps/fill-template.ts';
import { callerOf, stepMarker } from '#functions/workflow-runs/steps/step-caller.ts';
import { capturesOf } from '#shared/domain/payments/capture.rules.ts';
import { tagOnce } from '#shared/domain/payments/payment-tags.rules.ts';
import type { StepOutcome } from '#shared/domain/workflows/execution.machine.ts';
import { resourceIdsOf } from '#shared/domain/workflows/execution.rules.ts';
import type {
  CancelPaymentStep,
  CapturePaymentStep,
  RefundPaymentStep,
  TagPaymentStep,
} from '#shared/domain/workflows/workflow.model.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { CancelDeps } from '#shared/services/payments/cancel-payment.service.ts';
import { cancelPayment } from '#shared/services/payments/cancel-payment.service.ts';
import { capturePayment } from '#shared/services/payments/capture-payment.service.ts';
import { notingWho } from '#shared/services/payments/noting-who.service.ts';
import { refundPayment } from '#shared/services/payments/refund-payment.service.ts';

/** Tags once: a repeat after a crash does not undo what others have changed since. */
export async function tagPaymentStep(
  work: StepContext<TagPaymentStep>,
  deps: Pick<Deps, 'clock' | 'config' | 'organizations' | 'payments'>,
): Promise<StepOutcome> {
  const { step, event, facts } = work;
  const [marker, tags] = [stepMarker(work, deps), filledMetadata(step.metadata, facts)];
  const payment = orNotFound(await deps.payments.get(event.org_id, paymentIdOf(event)), 'There is no such payment.');
  await deps.payments.change(payment, (p) => tagOnce(p, tags, marker, deps.clock.now()));
  return { kind: 'done', output: { payment_id: payment.id } };
}

export async function cancelPaymentStep(
  work: StepContext<CancelPaymentStep>,
  deps: CancelDeps & Pick<Deps, 'organizations'>,
): Promise<StepOutcome> {
  const cancel = notingWho('cancel', cancelPayment);
  const { id, status } = await cancel({ id: paymentIdOf(work.event) }, callerOf(work, deps), deps);
  return { kind: 'done', output: { payment_id: id, payment_status: status } };
}

/** A pending capture counts as done: its outcome shows on the payment. */
export async function capturePaymentStep(
  work: StepContext<CapturePaymentStep>,
  deps: Parameters<typeof capturePayment>[2] & Pick<Deps, 'config' | 'organizations'>,
): Promise<StepOutcome> {
  const { amount, final } = work.step;
  const caller = callerOf(work, deps);
  const input = { ...(amount !== undefined && { amount }), ...(final !== undefined && { final }) };
  const payment = await notingWho('capture', capturePayment)({ id: paymentIdOf(work.event), ...input }, caller, deps);
  const capture = capturesOf(payment).find(({ id }) => id === operationId(caller.operation, 'capture'));
  const output = { payment_id: payment.id, capture_id: capture?.id ?? null, capture_status: capture?.status ?? null };
  if (capture?.status !== 'failed') return { kind: 'done', output };
  return { kind: 'failed', output, error: { code: 'capture_failed', message: 'The provider refused this capture.' } };
}

/** A pending refund counts as done: its outcome shows on the payment. */
export async function refundPaymentStep(
  work: StepContext<RefundPaymentStep>,
  deps: Pick<Deps, 'clock' | 'config' | 'connections' | 'log' | 'organizations' | 'payments' | 'psp' | 'pspDeadline'>,
): Promise<StepOutcome> {
  const { amount, reason } = work.step;
  const caller = callerOf(work, deps);
  const payment = await notingWho('refund', refundPayment)(
    {
      id: paymentIdOf(work.event),
      ...(amount !== undefined && { amount }),
      ...(reason !== undefined && { reason: filledReason(reason, work.facts) }),
    },
    caller,
    deps,
  );
  const refund = payment.refunds.find(({ id }) => id === operationId(caller.operation, 'refund'));
  const output = { payment_id: payment.id, refund_id: refund?.id ?? null, refund_status: refund?.status ?? null };
  if (refund?.status !== 'failed') return { kind: 'done', output };
  return { kind: 'failed', output, error: { code: 'refund_failed', message: 'The provider refused this refund.' } };
}

function paymentIdOf(event: StepContext<TagPaymentStep>['event']): string {
  const { payment } = resourceIdsOf(event);
  if (payment === undefined) throw new AppError('not_found', `The event ${event.type} does not belong to a payment.`);
  return payment;
}
