import type { StepWork } from '#functions/workflow-runs/step-work.ts';
import { integrationOf } from '#functions/workflow-runs/steps/integration-of.ts';
import { outcomeOfCall } from '#functions/workflow-runs/steps/outcome-of-call.ts';
import { signedHeaders } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import type { StepOutcome } from '#shared/domain/workflows/execution.machine.ts';
import { type Facts, filledValue } from '#shared/domain/workflows/expression.rules.ts';
import type { HttpRequestStep } from '#shared/domain/workflows/workflow.model.ts';
import { SECOND } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** A workflow stands still meanwhile. */
export const CALL_WINDOW = 10 * SECOND;

/** Signed as webhooks are, under an id that each try of the step repeats, so that the receiver can tell. */
export async function requestStep(work: StepWork<HttpRequestStep>, deps: Deps): Promise<StepOutcome> {
  const { integration, secrets } = await integrationOf(work.event.org_id, work.step.integration_id, deps);
  if (integration.type !== 'http' || secrets.signing_secret === undefined)
    throw new AppError('not_found', 'The integration takes no requests.');
  const timestamp = Math.floor(deps.clock.now().getTime() / SECOND);
  const body = JSON.stringify(bodyOf(work, timestamp));
  const headers = {
    ...secrets.headers,
    'content-type': 'application/json',
    'user-agent': 'payfork-workflows',
    ...signedHeaders(work.id, timestamp, body, new Secret(secrets.signing_secret)),
  };
  return outcomeOfCall(
    await deps.outbound.post({ url: integration.config.url, headers, body, timeoutMs: CALL_WINDOW }),
  );
}

/** What the step says, or the event as webhooks tell it. */
function bodyOf({ step, id, execution, event, facts }: StepWork<HttpRequestStep>, timestamp: number): unknown {
  if (step.body) return filled(step.body, facts);
  const { type, created_at, data } = event;
  return {
    id,
    execution_id: execution.id,
    step_id: step.id,
    org_id: event.org_id,
    event: { id: event.id, type, created_at, data },
    timestamp,
  };
}

function filled(value: unknown, facts: Facts): unknown {
  if (typeof value === 'string') return filledValue(value, facts);
  if (Array.isArray(value)) return value.map((each) => filled(each, facts));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, facts)]));
  return value;
}
