import { type Decline, declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { ADVICE, RANGES, REASONS, UNUSABLE } from '#shared/psp/checkout/declines.catalog.ts';

const lineOf = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Only what looks like a response code is passed on: nothing a message could carry. */
const responseCode = (code: string | null | undefined): string | null =>
  code && /^[1-9]\d{2}[0-9A-Z]{2}$/.test(code) ? code : null;

/** Checkout.com said no. A code that is new goes by its range; without one it is a plain decline. */
export function toDecline(code: string | null | undefined, advice: string | null | undefined): Decline {
  const reason = responseCode(code);
  const known = (reason && (lineOf(REASONS, reason) ?? lineOf(RANGES, reason.slice(0, 1)))) || 'card_declined';
  const [failure, retry] = typeof known === 'string' ? [known] : known;
  const plain = declineOf(failure, reason, retry);
  const told = lineOf(ADVICE, advice ?? '');
  return told && plain.retry !== 'never' ? { ...plain, retry: told } : plain;
}

/** The customer's matter, so a decline and no fault of the configuration. */
export function requestRefusal(status: number, codes: readonly string[]): Decline | undefined {
  const code = status === 422 ? codes.find((each) => Object.hasOwn(UNUSABLE, each)) : undefined;
  const failure = code === undefined ? undefined : lineOf(UNUSABLE, code);
  return failure && declineOf(failure, code);
}
