import { isFailureCode } from '#lib/simulators/frame/behaviour.ts';
import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

const DECLINE = 'decline_';

/**
 * `decline_<code>` is one of the words that every simulator takes for something to pay with: the code that it asks for.
 */
export function declineAsked(token: string): FailureCode | undefined {
  const code = token.startsWith(DECLINE) ? token.slice(DECLINE.length) : '';
  return isFailureCode(code) ? code : undefined;
}
