/** Every event type there is. A new one is a line here and the change that announces it. */
export const EVENT_TYPES = [
  'payment.created',
  'payment.succeeded',
  'payment.failed',
  'payment.canceled',
  'payment.refunded',
  'subscription.created',
  'subscription.updated',
  'subscription.canceled',
  'subscription.paused',
  'subscription.resumed',
  'subscription.renewed',
  'invoice.created',
  'invoice.paid',
  'invoice.failed',
  'invoice.canceled',
  'payment_link.paid',
  'service.webhook.test',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export type EventAttempt = { readonly at: string; readonly status_code: number | null; readonly duration_ms: number; readonly error: string | null };

/** An event as it is stored, listed and sent: `data` is the resource as it was at that moment. */
export type EventRecord = {
  readonly id: string;
  readonly org_id: string;
  readonly type: EventType;
  readonly created_at: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly status: 'pending' | 'delivered' | 'failed' | 'skipped';
  readonly attempts: readonly EventAttempt[];
  readonly next_attempt_at: string | null;
};
