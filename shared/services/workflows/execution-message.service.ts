import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import type { QueueMessage } from '#shared/ports/queue.port.ts';

/** The message that continues an execution, now or after a delay in seconds. */
export const executionMessage = ({ id, org_id }: Pick<Execution, 'id' | 'org_id'>, delaySeconds = 0): QueueMessage => ({
  body: { kind: 'execution', id },
  group: org_id,
  ...(delaySeconds > 0 && { delaySeconds }),
});
