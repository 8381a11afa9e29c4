import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import type { Begun } from '#shared/psp/razorpay/objects.schema.ts';

type Next = NonNullable<Begun['next']>;

const urlOf = (next: Next, action: string, pattern: RegExp): string | undefined =>
  next.find((step) => step.action === action && pattern.test(step.url ?? ''))?.url ?? undefined;

/** The bank's page is preferred: it works for every card, and asks for the bank's code itself. */
export function toNextAction(next: Begun['next']): NextAction | undefined {
  if (!next) return undefined;
  const page = urlOf(next, 'redirect', /^https?:\/\//);
  if (page) return { type: 'redirect', url: page, method: 'GET' };
  const intent = urlOf(next, 'intent', /^[a-z][a-z0-9+.-]*:\/\//);
  if (intent) return { type: 'display', kind: 'upi_intent', url: intent };
  if (next.some(({ action }) => action === 'otp_submit' || action === 'otp_generate'))
    return { type: 'collect', field: 'otp' };
  return next.some(({ action }) => action === 'poll') ? { type: 'await' } : undefined;
}

/** Whether sending the bank's code to the customer has to be requested. */
export const wantsOtp = (next: Begun['next']): boolean =>
  next?.some(({ action }) => action === 'otp_generate') ?? false;

export const isoFromSeconds = (seconds: number | null | undefined): string | undefined =>
  seconds && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000).toISOString() : undefined;
