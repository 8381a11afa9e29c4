import { FAILURES, type FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** A call's ordered outcome, regardless of the payment method. */
export type Behaviour =
  | { readonly kind: 'approve' | 'requires_action' | 'pending' | 'wrong_amount' }
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
  | { readonly kind: 'slow'; readonly ms: number };

export type WebhookMode =
  | { readonly kind: 'normal' | 'none' | 'early' | 'duplicate' | 'reordered' }
  | {
      readonly kind: 'late';
      /** Of real time. */
      readonly ms: number;
    };

const PLAIN = [
  'approve',
  'requires_action',
  'pending',
  'wrong_amount',
  'timeout_after_charge',
  'timeout_before_charge',
  'refuse_connection',
  'http_500',
  'rate_limited',
  'garbage',
] as const;
const PLAIN_WEBHOOK = ['normal', 'none', 'early', 'duplicate', 'reordered'] as const;

export const isFailureCode = (text: string): text is FailureCode => Object.hasOwn(FAILURES, text);

export function parseBehaviour(text: string): Behaviour | undefined {
  const plain = PLAIN.find((kind) => kind === text);
  if (plain) return { kind: plain };
  const [head = '', rest = ''] = text.split(':', 2);
  if (head === 'decline' && isFailureCode(rest)) return { kind: 'decline', code: rest };
  if (head === 'slow' && /^\d{1,6}$/.test(rest)) return { kind: 'slow', ms: Number(rest) };
  return undefined;
}

export function parseWebhookMode(text: string): WebhookMode | undefined {
  const plain = PLAIN_WEBHOOK.find((kind) => kind === text);
  if (plain) return { kind: plain };
  const late = /^late:(\d{1,6})$/.exec(text);
  return late ? { kind: 'late', ms: Number(late[1]) } : undefined;
}

/** Behaviours that a replayed answer can't show: they wait for a call that is really carried out. */
const ONLY_WHEN_EXECUTED: ReadonlySet<Behaviour['kind']> = new Set([
  'approve',
  'decline',
  'requires_action',
  'pending',
  'wrong_amount',
  'http_500',
]);

export const showsOnReplay = (behaviour: Behaviour): boolean => !ONLY_WHEN_EXECUTED.has(behaviour.kind);
