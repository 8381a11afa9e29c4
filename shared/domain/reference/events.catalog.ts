/** Every event type. A new one is a line here and the change that publishes it. */
export const EVENT_TYPES = [
  'payment.created',
  'payment.authorized',
  'payment.authorization_expiring',
  'payment.captured',
  'payment.capture_failed',
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
  'dispute.created',
  'dispute.updated',
  'dispute.response_due',
  'dispute.closed',
  'service.webhook.test',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export type EventAttempt = {
  readonly at: string;
  readonly status_code: number | null;
  readonly duration_ms: number;
  readonly error: string | null;
  /** The start of the response's body. Only the newest failed attempt has it. */
  readonly response?: string;
};

/** The connection that a payment went through, and the template of its own workflow. */
export type ConnectionWorkflow = { readonly connection_id: string; readonly workflow_id: string };

/** An event as it is stored, listed and sent: `data` is a snapshot of the resource at that moment. */
export type EventRecord = {
  readonly id: string;
  readonly org_id: string;
  readonly type: EventType;
  readonly created_at: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly status: 'pending' | 'delivered' | 'failed' | 'skipped';
  /** Beyond a limit only the first and the newest are kept: see `withAttempt`. */
  readonly attempts: readonly EventAttempt[];
  /** The number of attempts; settling is conditional on it. Not in the API. */
  readonly tries: number;
  /**
   * The number of failed replays in `attempts`; settling is conditional on it too, or it would erase them. Not in the
   * API.
   */
  readonly noted?: number;
  readonly next_attempt_at: string | null;
  /** When the sweep of due work looks at it, if that is planned. Not in the API. */
  readonly due_at?: string;
  /** Over how many partitions its organization's lists were spread when it was stored. Not in the API. */
  readonly list_shards?: number;
  /** Set on events of a payment whose connection has a workflow. Not in the API. */
  readonly through?: ConnectionWorkflow;
  /** The work that made it, for the log. Not in the API. */
  readonly trace?: string;
};

/** What a message carries of an event, besides what identifies it. */
export type CarriedEvent = Pick<EventRecord, 'created_at' | 'data' | 'list_shards'>;

/** An event without a delivery attempt yet. */
export type NewEvent = Omit<EventRecord, 'tries' | 'noted' | 'due_at'>;

/** The events that start a connection's own workflow: a payment was created or authorized, or reached its end. */
export const CONNECTION_EVENTS: readonly EventType[] = [
  'payment.created',
  'payment.authorized',
  'payment.succeeded',
  'payment.failed',
  'payment.canceled',
];

export const startsConnectionWorkflow = (type: EventType): boolean => CONNECTION_EVENTS.includes(type);
