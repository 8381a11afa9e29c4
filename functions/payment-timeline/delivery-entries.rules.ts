import { causeOf, requestOf } from '#functions/payment-timeline/causes.rules.ts';
import type { Cause, TimelineEntry } from '#functions/payment-timeline/timeline.schema.ts';
import type { Attempt } from '#shared/domain/payments/payment.model.ts';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import { viewExecution } from '#shared/domain/workflows/execution.rules.ts';

const DELIVERY = {
  pending: 'waits for its delivery',
  delivered: 'was delivered',
  failed: 'could not be delivered',
  skipped: 'was not sent, as no webhook takes it',
} as const;

export function eventEntry(event: EventRecord, cause: Cause | null): TimelineEntry {
  const { id, type, status, created_at, attempts, next_attempt_at, trace } = event;
  return {
    kind: 'event',
    at: created_at,
    text: `Event ${type} ${DELIVERY[status]}.`,
    event_id: id,
    type,
    status,
    deliveries: [...attempts],
    next_attempt_at,
    request_id: requestOf(trace),
    cause,
    dispute_id: type.startsWith('dispute.') ? String(event.data.id) : null,
  };
}

/** What a provider's callback has changed, it has announced by an event. */
export function callbackEntries(event: EventRecord, payment: ChargedPayment): readonly TimelineEntry[] {
  const { id, type, created_at, trace } = event;
  const provider = providerBehind(event, payment);
  if (provider === null || causeOf(trace)?.type !== 'provider') return [];
  return [
    {
      kind: 'callback',
      at: created_at,
      text: `A callback of ${provider} reported it: ${type}.`,
      provider,
      event_id: id,
      type,
      request_id: requestOf(trace),
    },
  ];
}

type ChargedPayment = {
  readonly attempts: readonly Pick<Attempt, 'id' | 'provider'>[];
  readonly provider: Provider | null;
};
type EventParts = {
  readonly attempt?: { readonly id?: unknown };
  readonly capture?: { readonly attempt_id?: unknown };
  readonly refund?: { readonly attempt_id?: unknown };
  readonly provider?: unknown;
};

/** That of the attempt which the event is about: the payment may have gone on at another provider since. */
function providerBehind({ data }: EventRecord, { attempts, provider }: ChargedPayment): Provider | null {
  const { attempt, capture, refund, provider: then }: EventParts = data;
  const attemptId = attempt?.id ?? capture?.attempt_id ?? refund?.attempt_id;
  const charged = attempts.find(({ id }) => id === attemptId)?.provider;
  return charged ?? attempts.find((each) => each.provider === then)?.provider ?? provider;
}

const RUNS: Readonly<Record<Execution['status'], string>> = {
  pending: 'is about to start',
  running: 'is running',
  waiting: 'waits',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'was canceled',
  refused: 'could not start',
};

export function runEntry(execution: Execution): TimelineEntry {
  const { id, template_id, event, status, steps, next_step_at, error, created_at } = viewExecution(execution);
  return {
    kind: 'workflow_run',
    at: created_at,
    text: `A workflow run for ${event.type} ${RUNS[status]}.${error ? ` ${error.message}` : ''}`,
    execution_id: id,
    template_id,
    event_id: event.id,
    status,
    steps: [...steps],
    next_step_at,
    error: error?.message ?? null,
  };
}
