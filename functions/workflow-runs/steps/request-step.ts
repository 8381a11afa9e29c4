import type { StepContext } from '#functions/workflow-runs/step-context.ts';
import { signedHeaders } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import type { StepOutcome } from '#shared/domain/workflows/execution.machine.ts';
import { type Facts, fillValue } from '#shared/domain/workflows/expression.rules.ts';
import type { HttpRequestStep, Integration, IntegrationSecrets } from '#shared/domain/workflows/workflow.model.ts';
import { SECOND } from '#shared/kernel/clock.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { DeliveryResult } from '#shared/ports/webhook-http.port.ts';
import { openSecrets } from '#shared/services/workflows/integration-secrets.service.ts';

/** The timeout of a call to an integration. The workflow waits for it. */
export const CALL_WINDOW = 10 * SECOND;

/** Signed like a webhook. Every attempt of the step has the same id, so that the server recognizes a repeat. */
export async function requestStep(
  work: StepContext<HttpRequestStep>,
  deps: Pick<Deps, 'clock' | 'vault' | 'webhookHttp' | 'workflows'>,
): Promise<StepOutcome> {
  const { integration, secrets } = await integrationOf(work.event.org_id, work.step.integration_id, deps);
  if (integration.type !== 'http' || secrets.signing_secret === undefined)
    throw new AppError('not_found', 'This integration cannot receive requests. Use one of type http.');
  const timestamp = Math.floor(deps.clock.now().getTime() / SECOND);
  const body = JSON.stringify(bodyOf(work, timestamp));
  const headers = {
    ...secrets.headers,
    'content-type': 'application/json',
    'user-agent': 'payfork-workflows',
    ...signedHeaders(work.id, timestamp, body, new Secret(secrets.signing_secret)),
  };
  return outcomeOfRequest(
    await deps.webhookHttp.post({ url: integration.config.url, headers, body, timeoutMs: CALL_WINDOW }),
  );
}

/** The step's own body, or the event as a webhook sends it. */
function bodyOf({ step, id, execution, event, facts }: StepContext<HttpRequestStep>, timestamp: number): unknown {
  if (step.body) return fillBody(step.body, facts);
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

function fillBody(value: unknown, facts: Facts): unknown {
  if (typeof value === 'string') return fillValue(value, facts);
  if (Array.isArray(value)) return value.map((each) => fillBody(each, facts));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fillBody(each, facts)]));
  return value;
}

export type OpenIntegration = { readonly integration: Integration; readonly secrets: IntegrationSecrets };

/** The current version, not that of the start of the execution: a replaced secret must not be used any more. */
export async function integrationOf(
  orgId: string,
  id: string,
  deps: Pick<Deps, 'workflows' | 'vault'>,
): Promise<OpenIntegration> {
  const integration = orNotFound(await deps.workflows.integration(orgId, id), `There is no integration ${id}.`);
  if (!integration.enabled)
    throw new AppError(
      'workflow_integration_disabled',
      `The integration ${id} is disabled. Enable it to run this step.`,
    );
  return { integration, secrets: await openSecrets(integration, deps) };
}

/** Statuses below 500 that may change by the next attempt. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** A 4xx response is final. A server that fails or does not respond is called again. */
export function outcomeOfRequest({ statusCode, durationMs, error, retryAfter }: DeliveryResult): StepOutcome {
  const output = { status_code: statusCode, duration_ms: durationMs };
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { kind: 'done', output };
  const isFinal =
    statusCode === null ? error === 'not allowed' : statusCode < 500 && !TRANSIENT_STATUSES.has(statusCode);
  const message =
    statusCode === null ? `The server could not be reached: ${error}.` : `The server responded with ${statusCode}.`;
  const fault = { output, error: { code: 'request_failed', message } };
  return isFinal
    ? { kind: 'failed', ...fault }
    : { kind: 'again', ...fault, ...(retryAfter !== undefined && { afterSeconds: retryAfter }) };
}
