import { processRenewal } from '#functions/renewals/process-renewal.usecase.ts';
import { processDue } from '#functions/timers/process-due.usecase.ts';
import { handleRun } from '#functions/workflow-runs/handle-run.usecase.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';
import { deliverEvent } from '#shared/services/webhooks/deliver-event.service.ts';

/** How a queue is consumed. `consume` handles one message; if it rejects, the message is delivered again. */
type QueueConsumerConfig = {
  readonly consume: (body: Readonly<Record<string, unknown>>, deps: Deps, receiveCount: number) => Promise<void>;
  readonly timeoutMs: number;
  /** Its messages mostly wait for another server. A local host then keeps slow groups in a lane of their own. */
  readonly waitsForServers?: boolean;
};

const TIMEOUT_MS = 45_000;

export const QUEUE_CONSUMERS: Readonly<Record<QueueName, QueueConsumerConfig>> = {
  'webhook-delivery': { consume: deliverEvent, timeoutMs: TIMEOUT_MS, waitsForServers: true },
  'slow-deliveries': {
    consume: (body, deps, receiveCount) => deliverEvent(body, deps, receiveCount, 'slow-deliveries'),
    timeoutMs: TIMEOUT_MS,
    waitsForServers: true,
  },
  timers: { consume: processDue, timeoutMs: TIMEOUT_MS },
  renewals: { consume: processRenewal, timeoutMs: TIMEOUT_MS },
  'workflow-runs': { consume: handleRun, timeoutMs: TIMEOUT_MS, waitsForServers: true },
};
