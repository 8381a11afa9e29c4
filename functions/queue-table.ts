import { handleRenewal } from '#functions/renewals/handle-renewal.usecase.ts';
import { handleDue } from '#functions/timers/handle-due.usecase.ts';
import { deliverEvent } from '#functions/webhook-delivery/deliver-event.usecase.ts';
import { handleRun } from '#functions/workflow-runs/handle-run.usecase.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';

/** What takes a queue's messages, one by one, and is told how often each was received: done when it resolves; rejected, the message comes again. */
export type QueueLine = {
  readonly consume: (body: Readonly<Record<string, unknown>>, deps: Deps, receiveCount: number) => Promise<void>;
  readonly timeoutMs: number;
  /** Its messages mostly wait for somebody else's server. */
  readonly waits?: boolean;
};

export const QUEUE_CONSUMERS: Readonly<Record<QueueName, QueueLine>> = {
  'webhook-delivery': { consume: deliverEvent, timeoutMs: 45_000, waits: true },
  'slow-deliveries': { consume: (body, deps, receiveCount) => deliverEvent(body, deps, receiveCount, 'slow-deliveries'), timeoutMs: 45_000, waits: true },
  timers: { consume: handleDue, timeoutMs: 45_000 },
  renewals: { consume: handleRenewal, timeoutMs: 45_000 },
  'workflow-runs': { consume: handleRun, timeoutMs: 45_000, waits: true },
};
