import { assertStartsLeft } from '#functions/hosted-pages/link-actions.ts';
import { isCrossSite, returnFormMac } from '#functions/hosted-pages/link-session.ts';
import { mayCustomerRetry } from '#functions/hosted-pages/retry-returned-payment.rules.ts';
import { sentFields } from '#functions/hosted-pages/sent-fields.ts';
import { mayCharge } from '#shared/domain/accounts/plan.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { operationId, unkeyedOperation } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';
import { isToken, openInstrument, returnUrlOf } from '#shared/services/payments/charge-order.service.ts';
import { type ChargeDeps, chargePayment } from '#shared/services/payments/charge-payment.service.ts';
import { decideRouting, startFirstAttempt } from '#shared/services/payments/plan-payment.service.ts';
import { releaseUnlessStarted, reserveSlots } from '#shared/services/payments/retry-budget.service.ts';

type RetryDeps = ChargeDeps & Pick<Deps, 'organizations' | 'rates'>;

/** Our own form, and not the parameters that a provider posts. */
export const isRetryForm = (request: RawRequest): boolean =>
  request.method === 'POST' && sentFields(request).get('do') === 'retry' && sentFields(request).has('csrf');

/**
 * Another attempt at a payment, by its customer. A form acts once: it names the number of attempts that it was shown
 * after. In any case the customer then sees how the payment stands. The way to the provider is a page of ours: a
 * redirect directly after a form would be subject to the policy for forms.
 */
export async function retryReturnedPayment(
  payment: Payment,
  request: RawRequest,
  deps: RetryDeps,
): Promise<RawResponse> {
  const mac = returnFormMac(payment.id, payment.attempts.length);
  const isShown =
    isToken(sentFields(request).get('csrf') ?? '', mac, deps.config) && !isCrossSite(request, deps.config);
  if (isShown && mayCustomerRetry(payment, deps.clock.now())) await retry(payment, request, deps);
  return { status: 303, headers: { location: `${returnUrlOf(payment.id, deps.config)}&go=1` } };
}

async function retry(payment: Payment, { ip }: RawRequest, deps: RetryDeps): Promise<void> {
  await assertStartsLeft(ip, deps);
  const routingData = await deps.organizations.routingData(payment.org_id);
  if (!mayCharge(payment, routingData, deps.config.stage, deps.clock.now())) return;
  const operation = unkeyedOperation(deps.clock.now());
  const started = await begin(payment, operation, routingData, deps);
  if (started) await chargePayment({ payment: started, operation, resumed: false, routingData }, deps);
}

/** Undefined if the payment method was declined too often, or another request was faster. */
async function begin(
  payment: Payment,
  operation: ReturnType<typeof unkeyedOperation>,
  routingData: RoutingData,
  deps: RetryDeps,
): Promise<Payment | undefined> {
  const instrument = await openInstrument(payment, deps);
  const decision = decideRouting(payment, routingData, instrument, deps.clock.now(), deps);
  const [first] = decision.plan.ranked;
  if (!first) return undefined;
  const attemptId = operationId(operation, 'attempt', payment.attempts.length);
  const reserved = await reserveSlots({ payment, attemptId, provider: first.provider, instrument }, deps);
  if (reserved.outcome === 'exhausted') return undefined;
  const startOnce = (current: Payment): Payment | undefined =>
    mayCustomerRetry(current, deps.clock.now()) && current.attempts.length === payment.attempts.length
      ? startFirstAttempt(current, decision, operation, 'retry', deps.clock.now())
      : undefined;
  const written = await releaseUnlessStarted(reserved, deps.payments.change(payment, startOnce), deps);
  return written.attempts.some(({ id }) => id === attemptId) ? written : undefined;
}
