import type { Metadata } from '#shared/domain/payments/payment.model.ts';
import type { EventType } from '#shared/domain/reference/events.catalog.ts';

/** What workflows talk to: an organization's own server, a channel of its chat, its people's mail. */
export const INTEGRATION_TYPES = ['http', 'slack', 'email'] as const;
export type IntegrationType = (typeof INTEGRATION_TYPES)[number];

/**
 * Where it leads, as it is shown. Every header's value is a secret, and so is the whole address of `slack`: they lie in
 * `sealed_secrets`, and here is only what tells them apart. `signing_secret` too is masked here.
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

  /** Inner fields from here on. */
  readonly version: number;
  /** JSON of `IntegrationSecrets`; null where there are none. */
  readonly sealed_secrets: string | null;
};

export type Integration = AnyIntegration & Destination;

/** Whole. `signing_secret` (`whsec_…`) proves to an http receiver that we sent it; `url` is the address of `slack`. */
export type IntegrationSecrets = {
  readonly signing_secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
};

/** `next`: the step that follows, null for the end; the one that stands next where nothing is said. */
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
/** Without an amount, all that is left. */
export type RefundPaymentStep = AnyStep & {
  readonly type: 'refund_payment';
  readonly amount?: number | undefined;
  readonly reason?: string | undefined;
};
export type PauseSubscriptionStep = AnyStep & { readonly type: 'pause_subscription' };
/** `for`: such as `10m`, `2h`, `3d`. */
export type DelayStep = AnyStep & { readonly type: 'delay'; readonly for: string };
/** `then`, `else`: a step, or null for the end; the one that stands next, and the end, where nothing is said. */
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
  'refund_payment',
  'pause_subscription',
  'delay',
  'condition',
] as const satisfies readonly StepType[];

/** Each change makes a new version; what runs goes on with the one it began with. */
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
 * `condition`: an expression over `event` and `data`; without one every event of that type counts. `priority`: the
 * messages of several rules are sent in its order, and where the plan holds fewer it decides which of them run. They
 * run side by side otherwise.
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

  /** Inner fields from here on. */
  readonly version: number;
  /**
   * What happened before counts for it no more than what happened before there was a rule: it was off then, or another
   * one.
   */
  readonly counts_since: string;
};

/** Read together, as what is saved must fit all the rest. `version` counts the changes of any of them. */
export type Definitions = {
  readonly version: number;
  readonly integrations: readonly Integration[];
  readonly templates: readonly Template[];
  readonly rules: readonly WorkflowRule[];
};

/** So many of each an organization has at most: those of rules are read with every event. */
export const MOST_DEFINITIONS = 100;
/** Each of them runs up to 25 steps: one event must not become thousands of calls to somebody's server. */
export const MOST_RULES_OF_AN_EVENT = 10;
export const MOST_STEPS = 25;
