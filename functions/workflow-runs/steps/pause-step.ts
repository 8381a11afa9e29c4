import type { StepWork } from '#functions/workflow-runs/step-work.ts';
import { actOf } from '#functions/workflow-runs/steps/step-caller.ts';
import { pauseSubscription } from '#shared/domain/billing/subscription.machine.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { hasDone, noteStep } from '#shared/domain/payments/acts.rules.ts';
import type { StepOutcome } from '#shared/domain/workflows/execution.machine.ts';
import { subjectsOf } from '#shared/domain/workflows/execution.rules.ts';
import type { PauseSubscriptionStep } from '#shared/domain/workflows/workflow.model.ts';
import { AppError, need } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * One that is paused already stays so; that too is noted, so that a repeat does not pause what somebody has resumed
 * since.
 */
export async function pauseStep(work: StepWork<PauseSubscriptionStep>, deps: Deps): Promise<StepOutcome> {
  const subscription = need(
    await deps.subscriptions.get(work.event.org_id, await subscriptionIn(work.event, deps)),
    'There is no such subscription.',
  );
  const act = actOf(work, deps);
  const paused = await deps.subscriptions.change(subscription, (current) => pauseOnce(current, act, deps.clock.now()));
  return { kind: 'done', output: { subscription_id: paused.id, subscription_status: paused.status } };
}

const pauseOnce = (subscription: Subscription, act: string, at: Date): Subscription | undefined =>
  hasDone(subscription, act) ? undefined : noteStep(pauseSubscription(subscription, at) ?? subscription, act, at);

/** An event of a payment names its invoice, which names the subscription. */
async function subscriptionIn(event: StepWork<PauseSubscriptionStep>['event'], { invoices }: Deps): Promise<string> {
  const { subscription, invoice } = subjectsOf(event);
  const id =
    subscription ?? (invoice === undefined ? undefined : (await invoices.get(event.org_id, invoice))?.subscription_id);
  if (id === undefined) throw new AppError('not_found', `This ${event.type} is about no subscription.`);
  return id;
}
