import { invalid } from '#lib/simulators/flutterwave/errors.ts';
import { isTokenFormat } from '#lib/simulators/flutterwave/objects.ts';
import { declineCodeIn } from '#lib/simulators/kit/behaviour.ts';
import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** What the payment method does if no scenario overrides it. */
export type MethodOutcome = 'succeed' | 'page' | 'otp' | 'time' | { readonly decline: FailureCode };

/** The test tokens that every simulator accepts, `needs_otp`, and any token in Flutterwave's format. */
export function outcomeOfToken(token: string): MethodOutcome {
  if (token === 'ok' || isTokenFormat(token)) return 'succeed';
  if (token === 'needs_3ds') return 'page';
  if (token === 'needs_otp') return 'otp';
  if (token === 'pending') return 'time';
  const decline = declineCodeIn(token);
  if (!decline) throw invalid('Invalid token passed');
  return { decline };
}

export const OTPS: ReadonlySet<string> = new Set(['12345', '123456']);
