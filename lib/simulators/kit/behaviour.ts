import type { RawResponse } from '#lib/simulators/simulators.port.ts';
import { FAILURES, type FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** The outcome that a scenario sets for a call, whatever the payment method is. */
export type Behaviour =
  | { readonly kind: 'approve' | 'requires_action' | 'pending' | 'wrong_amount' }
  /** Half of the amount is reserved, for charges that are captured later. Others are approved. */
  | { readonly kind: 'partial_approval' }
  | { readonly kind: 'decline'; readonly code: FailureCode }
  | {
      readonly kind:
        | 'timeout_after_charge'
        | 'timeout_before_charge'
        | 'refuse_connection'
        | 'http_500'
        | 'rate_limited'
        | 'garbage';
    }
  | { readonly kind: 'slow'; readonly ms: number }
  /** The call is not executed: nothing is charged or stored, no webhook is sent, no idempotency key keeps it. */
  | { readonly kind: 'raw'; readonly response: RawResponse };

export type WebhookMode =
  | { readonly kind: 'normal' | 'none' | 'early' | 'duplicate' | 'reordered' }
  | {
      readonly kind: 'late';
      /** Real time, not the service clock. */
      readonly ms: number;
    };

const PLAIN_BEHAVIOURS = [
  'approve',
  'requires_action',
  'pending',
  'wrong_amount',
  'partial_approval',
  'timeout_after_charge',
  'timeout_before_charge',
  'refuse_connection',
  'http_500',
  'rate_limited',
  'garbage',
] as const;
/** As error messages list them. */
export const BEHAVIOURS = [...PLAIN_BEHAVIOURS, 'decline:<failure code>', 'slow:<ms>', 'raw'] as const;
const PLAIN_WEBHOOK_MODES = ['normal', 'none', 'early', 'duplicate', 'reordered'] as const;
export const WEBHOOK_MODES = [...PLAIN_WEBHOOK_MODES, 'late:<ms>'] as const;

export const isFailureCode = (text: string): text is FailureCode => Object.hasOwn(FAILURES, text);

/** `raw` is the response of the behaviour `raw`. No other behaviour has one. */
export function parseBehaviour(text: string, raw?: RawResponse): Behaviour | undefined {
  if (raw) return text === 'raw' ? { kind: 'raw', response: raw } : undefined;
  const plain = PLAIN_BEHAVIOURS.find((kind) => kind === text);
  if (plain) return { kind: plain };
  const [head = '', rest = ''] = text.split(':', 2);
  if (head === 'decline' && isFailureCode(rest)) return { kind: 'decline', code: rest };
  if (head === 'slow' && /^\d{1,6}$/.test(rest)) return { kind: 'slow', ms: Number(rest) };
  return undefined;
}

export function parseWebhookMode(text: string): WebhookMode | undefined {
  const plain = PLAIN_WEBHOOK_MODES.find((kind) => kind === text);
  if (plain) return { kind: plain };
  const late = /^late:(\d{1,6})$/.exec(text);
  return late ? { kind: 'late', ms: Number(late[1]) } : undefined;
}

/** A replayed response cannot show these: they apply to the next call that is executed. */
const EXECUTION_ONLY: ReadonlySet<Behaviour['kind']> = new Set([
  'approve',
  'decline',
  'requires_action',
  'pending',
  'wrong_amount',
  'partial_approval',
  'http_500',
]);

export const appliesToReplay = (behaviour: Behaviour): boolean => !EXECUTION_ONLY.has(behaviour.kind);

/** The scenario that applies to one call. */
export type ActiveScenario = { readonly behaviour: Behaviour; readonly webhook: WebhookMode };

/** What a scenario leaves on an object: `behaviour` for the next attempt, `webhook` for all its later events. */
export type ScenarioNotes = { readonly behaviour: Behaviour | null; readonly webhook: WebhookMode };

export const scenarioNotes = (scenario: ActiveScenario | null): ScenarioNotes => ({
  behaviour: scenario?.behaviour ?? null,
  webhook: scenario?.webhook ?? { kind: 'normal' },
});

/** A completion through the control server includes the customer's authentication. */
export const withoutAuthentication = (behaviour: Behaviour | null): Behaviour | null =>
  behaviour?.kind === 'requires_action' ? null : behaviour;

/** Off-session the customer cannot authenticate: a required authentication is a decline. */
export const offSessionBehaviour = (behaviour: Behaviour | null): Behaviour | null =>
  behaviour?.kind === 'requires_action' ? { kind: 'decline', code: 'authentication_required' } : behaviour;

const APPROVALS: ReadonlySet<Behaviour['kind']> = new Set(['approve', 'wrong_amount', 'partial_approval']);

/** Whether the bank approves, be it another amount than it was asked for. */
export const isApproval = (behaviour: Behaviour | null): boolean => behaviour !== null && APPROVALS.has(behaviour.kind);

const DECLINE_PREFIX = 'decline_';

/** Every simulator takes the test token `decline_<code>`. Returns that code. */
export function declineCodeIn(token: string): FailureCode | undefined {
  const code = token.startsWith(DECLINE_PREFIX) ? token.slice(DECLINE_PREFIX.length) : '';
  return isFailureCode(code) ? code : undefined;
}
