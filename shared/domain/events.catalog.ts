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
  /** Of a great many the first and the newest: see `withAttempt`. */
  readonly attempts: readonly EventAttempt[];
  /** How many there have been; a settling counts on it. Nobody is shown it. */
  readonly tries: number;
  /** Of how many replays the failure stands in the log beside the tries; a settling counts on it too, or it would wipe them out. Nor is this shown. */
  readonly noted?: number;
  readonly next_attempt_at: string | null;
};

/** One that nobody has tried to deliver yet. */
export type NewEvent = Omit<EventRecord, 'tries' | 'noted'>;
