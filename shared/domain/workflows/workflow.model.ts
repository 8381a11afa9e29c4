import type { Metadata } from '#shared/domain/payments/payment.model.ts';
import type { EventType } from '#shared/domain/reference/events.catalog.ts';

/** What a workflow can call: the organization's own server, a Slack channel, or its people's mail. */
export const INTEGRATION_TYPES = ['http', 'slack', 'email'] as const;
export type IntegrationType = (typeof INTEGRATION_TYPES)[number];

/**
 * The configuration as clients see it. Header values and the address of `slack` are secrets: here they are masked, and
 * `sealed_secrets` holds them. `signing_secret` is masked too.
 */
type Destination =
  | {
      readonly type: 'http';
      readonly config: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
      readonly signing_secret: string;
    }
  | { readonly type: 'slack'; readonly config: { readonly url: string } }
  | { readonly type: 'email'; readonly config: { readonly to: readonly string[] } };

type AnyIntegration = {
  readonly id: string;
  readonly org_id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly created_at: string;
  readonly updated_at: string;

  /** Internal fields from here on. */
  readonly version: number;
  /** JSON of `IntegrationSecrets`; null if there are none. */
  readonly sealed_secrets: string | null;
};

export type Integration = AnyIntegration & Destination;

/**
 * Unmasked. `signing_secret` (`whsec_…`) proves to an `http` server that we sent a request; `url` belongs to `slack`.
 */
export type IntegrationSecrets = {
  readonly signing_secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
};

/** `next`: the id of the step after this one, null for the end. By default the next one in the list. */
type AnyStep = {
  readonly id: string;
  readonly next?: string | null | undefined;
  readonly on_error?: 'stop' | 'continue' | undefined;
};

export type HttpRequestStep = AnyStep & {
  readonly type: 'http_request';
  readonly integration_id: string;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
};
export type NotifyStep = AnyStep & {
  readonly type: 'notify';
  readonly integration_id: string;
  readonly message: string;
  readonly subject?: string | undefined;
};
export type TagPaymentStep = AnyStep & { readonly type: 'tag_payment'; readonly metadata: Metadata };
export type CancelPaymentStep = AnyStep & { readonly type: 'cancel_payment' };
/** Without an amount it takes the rest, and the last of it without `final: false`. */
export type CapturePaymentStep = AnyStep & {
  readonly type: 'capture_payment';
  readonly amount?: number | undefined;
  readonly final?: boolean | undefined;
};
/** Without an amount it refunds the rest. */
export type RefundPaymentStep = AnyStep & {
  readonly type: 'refund_payment';
  readonly amount?: number | undefined;
  readonly reason?: string | undefined;
};
export type PauseSubscriptionStep = AnyStep & { readonly type: 'pause_subscription' };
/** `for`: such as `10m`, `2h`, `3d`. */
export type DelayStep = AnyStep & { readonly type: 'delay'; readonly for: string };
/** `then`, `else`: a step's id, or null for the end. By default the next in the list, and the end. */
export type ConditionStep = Omit<AnyStep, 'next'> & {
  readonly type: 'condition';
  readonly if: string;
  readonly then?: string | null | undefined;
  readonly else?: string | null | undefined;
};

export type Step =
  | HttpRequestStep
  | NotifyStep
  | TagPaymentStep
  | CancelPaymentStep
  | CapturePaymentStep
  | RefundPaymentStep
  | PauseSubscriptionStep
  | DelayStep
  | ConditionStep;
export type StepType = Step['type'];

export const STEP_TYPES = [
  'http_request',
  'notify',
  'tag_payment',
  'cancel_payment',
  'capture_payment',
  'refund_payment',
  'pause_subscription',
  'delay',
  'condition',
] as const satisfies readonly StepType[];

/** Each change makes a new version. Running executions keep the version they started with. */
export type Template = {
  readonly id: string;
  readonly org_id: string;
  readonly name: string;
  readonly steps: readonly Step[];
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
};

/**
 * `condition`: an expression over `event` and `data`; without one the rule matches every event of its type. `priority`:
 * the order in which the executions of one event are queued. If the plan allows fewer, the first ones run.
 */
export type WorkflowRule = {
  readonly id: string;
  readonly org_id: string;
  readonly name: string;
  readonly event: EventType;
  readonly condition: string | null;
  readonly template_id: string;
  readonly enabled: boolean;
  readonly priority: number;
  readonly created_at: string;
  readonly updated_at: string;

  /** Internal fields from here on. */
  readonly version: number;
  /** The rule matches events from this time on: when it was created, enabled, or given its event or condition. */
  readonly counts_since: string;
};

/** Read together, as each must fit the others. `version` counts the changes of any of them. */
export type Definitions = {
  readonly version: number;
  readonly integrations: readonly Integration[];
  readonly templates: readonly Template[];
  readonly rules: readonly WorkflowRule[];
};

/** The limit for each kind of definition. All rules are read for every event. */
export const MAX_DEFINITIONS = 100;
/** Each rule runs up to `MAX_STEPS` steps: one event must not become thousands of calls to a server. */
export const MAX_RULES_PER_EVENT = 10;
export const MAX_STEPS = 25;
