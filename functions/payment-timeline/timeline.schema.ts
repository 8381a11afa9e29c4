import * as z from 'zod';
import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import { EXECUTION_STATUSES, STEP_RUN_STATUSES } from '#shared/domain/workflows/execution.model.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';

const Nullable = z.string().nullable();
const Outcome = z.enum(['pending', 'succeeded', 'failed']);

/** What every entry has. */
const common = {
  at: z.string(),
  text: z.string(),
};

const Failure = z
  .object({ code: z.string(), category: z.string(), message: z.string(), provider_code: Nullable })
  .nullable();

const By = z.object({ type: z.enum(['user', 'api_key', 'workflow_run']), id: z.string() });

const Cause = z
  .object({ type: z.enum(['user', 'api_key', 'workflow_run', 'customer', 'provider', 'timer']), id: Nullable })
  .meta({ id: 'TimelineCause' });
export type Cause = z.output<typeof Cause>;

const AttemptEntry = z.object({
  kind: z.literal('attempt'),
  ...common,
  attempt_id: z.string(),
  number: z.int(),
  connection_id: z.string(),
  provider: z.enum(PROVIDERS),
  status: z.string(),
  failure: Failure,
  latency_ms: z.number().nullable(),
  psp_reference: Nullable,
  is_known: z.boolean(),
  is_late: z.boolean(),
  ab_test: z.object({ test_id: z.string(), variant: z.string() }).nullable(),
});

const Delivery = z.object({
  at: z.string(),
  status_code: z.int().nullable(),
  duration_ms: z.number(),
  error: Nullable,
});

const StepRun = z.object({
  id: z.string(),
  type: z.string(),
  status: z.enum(STEP_RUN_STATUSES),
  started_at: z.string(),
  ended_at: Nullable,
});

const Entry = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('created'),
      ...common,
      origin: z.enum(['api', 'payment_link', 'invoice']),
      origin_id: Nullable,
      amount: z.int(),
      currency: z.string(),
      by: Cause.nullable(),
    }),
    z.object({
      kind: z.literal('fraud_checked'),
      ...common,
      decision: z.string(),
      reasons: z.array(z.string()),
    }),
    z.object({
      kind: z.literal('routed'),
      ...common,
      source: z.enum(['ab_test', 'rule', 'default']),
      rule_id: Nullable,
      ab_test_id: Nullable,
      variant: Nullable,
      considered: z.array(z.object({ connection_id: z.string(), usable: z.boolean(), reason: Nullable })),
      stopped: Nullable,
    }),
    AttemptEntry,
    z.object({
      kind: z.literal('polled'),
      ...common,
      attempt_id: z.string(),
      provider: z.enum(PROVIDERS),
      polls: z.int().nullable(),
    }),
    z.object({ kind: z.literal('review'), ...common, reason: z.string() }),
    z.object({
      kind: z.literal('capture'),
      ...common,
      capture_id: z.string(),
      attempt_id: z.string(),
      amount: z.int(),
      currency: z.string(),
      status: Outcome,
      failure: Failure,
      final: z.boolean(),
      psp_reference: Nullable,
    }),
    z.object({
      kind: z.literal('release'),
      ...common,
      attempt_id: z.string(),
      reason: z.string(),
      is_done: z.boolean(),
    }),
    z.object({
      kind: z.literal('refund'),
      ...common,
      refund_id: z.string(),
      attempt_id: z.string(),
      amount: z.int(),
      currency: z.string(),
      status: Outcome,
      reason: Nullable,
      failure: Failure,
      is_automatic: z.boolean(),
      psp_reference: Nullable,
    }),
    z.object({
      kind: z.literal('dispute'),
      ...common,
      dispute_id: z.string(),
      status: z.string(),
      reason: z.string(),
      amount: z.int(),
      currency: z.string(),
      respond_by: Nullable,
    }),
    z.object({
      kind: z.literal('dispute_answer'),
      ...common,
      dispute_id: z.string(),
      answer: z.enum(['accept', 'evidence']),
      by: By,
    }),
    z.object({ kind: z.literal('dispute_closed'), ...common, dispute_id: z.string(), status: z.string() }),
    z.object({
      kind: z.literal('action'),
      ...common,
      action: z.enum(['capture', 'cancel', 'end_review', 'refund', 'retry']),
      by: By,
      resource_id: Nullable,
    }),
    z.object({ kind: z.literal('receipt'), ...common, is_sent: z.boolean() }),
    z.object({
      kind: z.literal('event'),
      ...common,
      event_id: z.string(),
      type: z.enum(EVENT_TYPES),
      status: z.enum(['pending', 'delivered', 'failed', 'skipped']),
      deliveries: z.array(Delivery),
      next_attempt_at: Nullable,
      request_id: Nullable,
      cause: Cause.nullable(),
      dispute_id: Nullable,
    }),
    z.object({
      kind: z.literal('callback'),
      ...common,
      provider: z.enum(PROVIDERS),
      event_id: z.string(),
      type: z.enum(EVENT_TYPES),
      request_id: Nullable,
    }),
    z.object({
      kind: z.literal('workflow_run'),
      ...common,
      execution_id: z.string(),
      template_id: z.string(),
      event_id: z.string(),
      status: z.enum(EXECUTION_STATUSES),
      steps: z.array(StepRun),
      next_step_at: Nullable,
      error: Nullable,
    }),
  ])
  .meta({ id: 'TimelineEntry' });

export type TimelineEntry = z.input<typeof Entry>;
export type EntryOf<K extends TimelineEntry['kind']> = Extract<TimelineEntry, { readonly kind: K }>;

export const TimelineReply = z
  .object({
    payment_id: z.string(),
    complete: z.boolean(),
    hidden: z.array(z.enum(SCOPES)),
    entries: z.array(Entry),
  })
  .meta({ id: 'PaymentTimeline' });
