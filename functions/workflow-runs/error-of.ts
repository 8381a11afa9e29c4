import type { ExecutionError } from '#shared/domain/workflows/execution.model.ts';
import { type AppError, toProblem } from '#shared/kernel/errors.ts';

/** A refusal as an execution shows it: in the words in which a request would be answered. */
export function errorOf(error: AppError): ExecutionError {
  const { code, message, details } = toProblem(error).body;
  return { code, message, ...(details && { details }) };
}
