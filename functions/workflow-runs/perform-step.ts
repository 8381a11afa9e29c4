import { errorOf } from '#functions/workflow-runs/error-of.ts';
import type { Run, StepWork } from '#functions/workflow-runs/step-work.ts';
import { notifyStep } from '#functions/workflow-runs/steps/notify-step.ts';
import { pauseStep } from '#functions/workflow-runs/steps/pause-step.ts';
import { cancelPaymentStep, refundPaymentStep, tagPaymentStep } from '#functions/workflow-runs/steps/payment-steps.ts';
import { requestStep } from '#functions/workflow-runs/steps/request-step.ts';
import { delayOf } from '#shared/domain/billing/retry-policy.rules.ts';
import type { StepOutcome, StepTry } from '#shared/domain/workflows/execution.machine.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import { factsOf } from '#shared/domain/workflows/execution.rules.ts';
import { type Facts, isTrue, NoValue } from '#shared/domain/workflows/expression.rules.ts';
import type { ConditionStep, DelayStep, Step, StepType } from '#shared/domain/workflows/workflow.model.ts';
import { branchOf, nextOf } from '#shared/domain/workflows/workflow-steps.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { AppError, type ErrorCode } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Doing = {
  readonly [T in Exclude<StepType, 'condition'>]: (
    work: StepWork<Extract<Step, { type: T }>>,
    deps: Deps,
  ) => Promise<StepOutcome>;
};

/** How each kind of step is carried out. A new one is a line here and its shape. */
const DOING: Doing = {
  http_request: requestStep,
  notify: notifyStep,
  tag_payment: tagPaymentStep,
  cancel_payment: cancelPaymentStep,
  refund_payment: refundPaymentStep,
  pause_subscription: pauseStep,
  delay: async ({ step }, { clock }) => delayed(step, clock.now()),
};

/**
 * Tries a step once. What refuses it is an outcome too; what nobody foresaw is thrown, and tried again when the lease
 * is over.
 */
export async function performStep(step: Step, execution: Execution, run: Run, deps: Deps): Promise<StepTry> {
  const facts = factsOf(run.event, execution);
  const { steps } = run.template;
  if (step.type === 'condition') {
    const { holds, outcome } = decided(step, facts);
    return { ...tryOf(step, branchOf(step, holds, steps), execution, steps), outcome };
  }
  const work = { ...run, step, id: `${execution.id}_${step.id}`, execution, facts };
  const outcome = await doing(step.type)(work, deps).catch(outcomeOf);
  return { ...tryOf(step, nextOf(step, steps), execution, steps), outcome };
}

/** The table's line for this type takes this step: the compiler can't follow that. */
const doing = (type: keyof Doing) => DOING[type] as (work: StepWork<Step>, deps: Deps) => Promise<StepOutcome>;

const tryOf = (
  step: Step,
  next: string | null,
  { at_since, updated_at }: Execution,
  steps: readonly Step[],
): Omit<StepTry, 'outcome'> => ({
  step,
  began: at_since ?? updated_at,
  following: stepCalled(next, steps),
});

const stepCalled = (name: string | null, steps: readonly Step[]): Step | null =>
  steps.find(({ id }) => id === name) ?? null;

/** What comes after a step that has failed, where it says that the others go on. */
export const afterFailed = (step: Step, steps: readonly Step[]): Step | null =>
  stepCalled(step.type === 'condition' ? branchOf(step, false, steps) : nextOf(step, steps), steps);

function decided(
  { if: text }: ConditionStep,
  facts: Facts,
): { readonly holds: boolean; readonly outcome: StepOutcome } {
  try {
    const holds = isTrue(text, facts);
    return { holds, outcome: { kind: 'done', output: { holds } } };
  } catch (error) {
    if (!(error instanceof NoValue)) throw error;
    return {
      holds: false,
      outcome: { kind: 'failed', error: { code: 'condition_without_value', message: error.message } },
    };
  }
}

const delayed = ({ for: text }: DelayStep, at: Date): StepOutcome => ({
  kind: 'wait',
  until: plus(at, delayOf(text) ?? 0),
});

/** These may pass. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'outcome_unknown',
  'write_conflict',
  'events_waiting',
  'provider_error',
  'rate_limited',
  'internal_error',
]);

function outcomeOf(error: unknown): StepOutcome {
  if (!(error instanceof AppError)) throw error;
  return { kind: PASSING.has(error.code) ? 'again' : 'failed', error: errorOf(error) };
}
