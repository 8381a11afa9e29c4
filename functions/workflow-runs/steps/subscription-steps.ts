import type { StepContext } from '#functions/workflow-runs/step-context.ts';
import { stepMarker } from '#functions/workflow-runs/steps/step-caller.ts';
import { pauseSubscription } from '#shared/domain/billing/subscription.machine.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { addStepMarker, hasMarker } from '#shared/domain/payments/idempotency-markers.rules.ts';
import type { StepOutcome } from '#shared/domain/workflows/execution.machine.ts';
import { resourceIdsOf } from '#shared/domain/workflows/execution.rules.ts';
import type { PauseSubscriptionStep } from '#shared/domain/workflows/workflow.model.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'clock' | 'config' | 'invoices' | 'organizations' | 'subscriptions'>;

/**
 * A subscription that is paused already stays paused. That is recorded too, so that a repeat does not pause one that
 * somebody has resumed since.
 */
export async function pauseStep(work: StepContext<PauseSubscriptionStep>, deps: Needs): Promise<StepOutcome> {
  const subscription = orNotFound(
    await deps.subscriptions.get(work.event.org_id, await subscriptionIdOf(work.event, deps)),
    'There is no such subscription.',
  );
  const marker = stepMarker(work, deps);
  const paused = await deps.subscriptions.change(subscription, (current) =>
    pauseOnce(current, marker, deps.clock.now()),
  );
  return { kind: 'done', output: { subscription_id: paused.id, subscription_status: paused.status } };
}

const pauseOnce = (subscription: Subscription, marker: string, at: Date): Subscription | undefined =>
  hasMarker(subscription, marker)
    ? undefined
    : addStepMarker(pauseSubscription(subscription, at) ?? subscription, marker, at);

/** A payment's event names its invoice, and the invoice names the subscription. */
async function subscriptionIdOf(
  event: StepContext<PauseSubscriptionStep>['event'],
  { invoices }: Pick<Deps, 'invoices'>,
): Promise<string> {
  const { subscription, invoice } = resourceIdsOf(event);
  const id =
    subscription ?? (invoice === undefined ? undefined : (await invoices.get(event.org_id, invoice))?.subscription_id);
  if (id === undefined) throw new AppError('not_found', `The event ${event.type} does not belong to a subscription.`);
  return id;
}
