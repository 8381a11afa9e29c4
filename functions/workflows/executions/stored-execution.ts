import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const storedExecution = async (
  orgId: string,
  id: string,
  { executions }: Pick<Deps, 'executions'>,
): Promise<Execution> => need(await executions.get(orgId, id), 'There is no such workflow execution.');
