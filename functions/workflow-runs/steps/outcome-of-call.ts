import type { StepOutcome } from '#shared/domain/workflows/execution.machine.ts';
import type { DeliveryResult } from '#shared/ports/receiver.port.ts';

/** Answers below 500 that may be others the next time. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** A receiver that says no will say so again; one that fails or is silent may not. */
export function outcomeOfCall({ statusCode, durationMs, error, retryAfter }: DeliveryResult): StepOutcome {
  const output = { status_code: statusCode, duration_ms: durationMs };
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { kind: 'done', output };
  const isFinal = statusCode === null ? error === 'not allowed' : statusCode < 500 && !PASSING.has(statusCode);
  const message =
    statusCode === null ? `The receiver could not be reached: ${error}.` : `The receiver answered ${statusCode}.`;
  const fault = { output, error: { code: 'request_failed', message } };
  return isFinal
    ? { kind: 'failed', ...fault }
    : { kind: 'again', ...fault, ...(retryAfter !== undefined && { afterSeconds: retryAfter }) };
}
