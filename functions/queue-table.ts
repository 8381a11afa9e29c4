import { handleRenewal } from '#functions/renewals/handle-renewal.usecase.ts';
import { handleDue } from '#functions/timers/handle-due.usecase.ts';
import { handleRun } from '#functions/workflow-runs/handle-run.usecase.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';
import { deliverEvent } from '#shared/services/webhooks/deliver-event.service.ts';

/**
 * Handles a queue's messages one by one, with each one's receive count: resolved means done, rejected means that it
 * comes again.
 */
type QueueLine = {
  readonly consume: (body: Readonly<Record<string, unknown>>, deps: Deps, receiveCount: number) => Promise<void>;
  readonly timeoutMs: number;
  /** Its messages mostly wait for another server's answer. */
  readonly waits?: boolean;
};

export const QUEUE_CONSUMERS: Readonly<Record<QueueName, QueueLine>> = {
  'webhook-delivery': { consume: deliverEvent, timeoutMs: 45_000, waits: true },
  'slow-deliveries': {
    consume: (body, deps, receiveCount) => deliverEvent(body, deps, receiveCount, 'slow-deliveries'),
    timeoutMs: 45_000,
    waits: true,
  },
  timers: { consume: handleDue, timeoutMs: 45_000 },
  renewals: { consume: handleRenewal, timeoutMs: 45_000 },
  'workflow-runs': { consume: handleRun, timeoutMs: 45_000, waits: true },
};
