import { errorOf, type RunContext, type StepContext } from '#functions/workflow-runs/step-context.ts';
import { notifyStep } from '#functions/workflow-runs/steps/notify-step.ts';
import {
  cancelPaymentStep,
  capturePaymentStep,
  refundPaymentStep,
  tagPaymentStep,
} from '#functions/workflow-runs/steps/payment-steps.ts';
import { requestStep } from '#functions/workflow-runs/steps/request-step.ts';
import { pauseStep } from '#functions/workflow-runs/steps/subscription-steps.ts';
import { quarantined } from '#shared/domain/accounts/organization.rules.ts';
import { parseDelay } from '#shared/domain/billing/retry-policy.rules.ts';
import type { StepAttempt, StepOutcome } from '#shared/domain/workflows/execution.machine.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import { factsOf } from '#shared/domain/workflows/execution.rules.ts';
import { ExpressionWithoutValue, type Facts, isTrue } from '#shared/domain/workflows/expression.rules.ts';
import type { ConditionStep, DelayStep, Step, StepType } from '#shared/domain/workflows/workflow.model.ts';
import { branchOf, nextOf } from '#shared/domain/workflows/workflow-steps.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { AppError, type ErrorCode } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { CancelDeps } from '#shared/services/payments/cancel-payment.service.ts';

export type StepDeps = CancelDeps &
  Pick<Deps, 'invoices' | 'mail' | 'members' | 'organizations' | 'subscriptions' | 'webhookHttp' | 'workflows'>;

type StepHandlers = {
  readonly [T in Exclude<StepType, 'condition'>]: (
    work: StepContext<Extract<Step, { type: T }>>,
    deps: StepDeps,
  ) => Promise<StepOutcome>;
};

/** The handler of each type of step. A new type is a line here and its shape. */
const STEP_HANDLERS: StepHandlers = {
  http_request: requestStep,
  notify: notifyStep,
  tag_payment: tagPaymentStep,
  cancel_payment: cancelPaymentStep,
  capture_payment: capturePaymentStep,
  refund_payment: refundPaymentStep,
  pause_subscription: pauseStep,
  delay: async ({ step }, { clock }) => delayOutcome(step, clock.now()),
};

/**
 * Attempts a step once. A refusal is an outcome too. An unexpected error is thrown, and the step is attempted again
 * when the lease has expired.
 */
export async function performStep(
  step: Step,
  execution: Execution,
  run: RunContext,
  deps: StepDeps,
): Promise<StepAttempt> {
  const facts = factsOf(run.event, execution);
  const { steps } = run.template;
  if (step.type === 'condition') {
    const { holds, outcome } = evaluateCondition(step, facts);
    return { ...attemptOf(step, branchOf(step, holds, steps), execution, steps), outcome };
  }
  const work = { ...run, step, id: `${execution.id}_${step.id}`, execution, facts };
  const outcome = await perform(step.type, work, deps).catch(outcomeOf);
  return { ...attemptOf(step, nextOf(step, steps), execution, steps), outcome };
}

/** An organization that is stopped changes nothing, its workflows neither: whoever has its keys may have made them. */
async function perform(type: keyof StepHandlers, work: StepContext<Step>, deps: StepDeps): Promise<StepOutcome> {
  const organization = type === 'delay' ? undefined : await deps.organizations.byId(work.execution.org_id);
  if (organization?.quarantined_at !== undefined) throw quarantined();
  return handlerOf(type)(work, deps);
}

/** The handler of a type takes steps of that type, which the compiler cannot follow. */
const handlerOf = (type: keyof StepHandlers) =>
  STEP_HANDLERS[type] as (work: StepContext<Step>, deps: StepDeps) => Promise<StepOutcome>;

const attemptOf = (
  step: Step,
  next: string | null,
  { at_since, updated_at }: Execution,
  steps: readonly Step[],
): Omit<StepAttempt, 'outcome'> => ({
  step,
  began: at_since ?? updated_at,
  following: findStep(next, steps),
});

const findStep = (name: string | null, steps: readonly Step[]): Step | null =>
  steps.find(({ id }) => id === name) ?? null;

/** The step after a failed one whose `on_error` is `continue`. */
export const stepAfterFailure = (step: Step, steps: readonly Step[]): Step | null =>
  findStep(step.type === 'condition' ? branchOf(step, false, steps) : nextOf(step, steps), steps);

function evaluateCondition(
  { if: text }: ConditionStep,
  facts: Facts,
): { readonly holds: boolean; readonly outcome: StepOutcome } {
  try {
    const holds = isTrue(text, facts);
    return { holds, outcome: { kind: 'done', output: { holds } } };
  } catch (error) {
    if (!(error instanceof ExpressionWithoutValue)) throw error;
    return {
      holds: false,
      outcome: { kind: 'failed', error: { code: 'condition_without_value', message: error.message } },
    };
  }
}

const delayOutcome = ({ for: text }: DelayStep, at: Date): StepOutcome => ({
  kind: 'wait',
  until: plus(at, parseDelay(text) ?? 0),
});

/** Errors that a later attempt may not meet. */
const TRANSIENT_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'outcome_unknown',
  'write_conflict',
  'events_waiting',
  'provider_error',
  'rate_limited',
  'internal_error',
]);

function outcomeOf(error: unknown): StepOutcome {
  if (!(error instanceof AppError)) throw error;
  return { kind: TRANSIENT_ERRORS.has(error.code) ? 'again' : 'failed', error: errorOf(error) };
}
