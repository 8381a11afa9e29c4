import type * as z from 'zod';
import { retryAfterSeconds } from '#shared/adapters/net/exchange.ts';
import { PspNotSent, PspOutcomeUnknown, type PspResponse } from '#shared/ports/psp.port.ts';

/** The parsed body. Invalid JSON says nothing about the outcome. The text itself goes into no message. */
export function parseJson({ text, status }: PspResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PspOutcomeUnknown(`The response (HTTP ${status}) is not JSON.`);
  }
}

/** Reads a provider's object by its expected shape. Any other shape says nothing about the outcome. */
export const objectReader =
  (provider: string) =>
  <T>(shape: z.ZodType<T>, what: string, value: unknown): T => {
    const parsed = shape.safeParse(value);
    if (!parsed.success) throw new PspOutcomeUnknown(`${provider}'s ${what} is not understood.`);
    return parsed.data;
  };

/**
 * Statuses of a time-out, a lock, a failed dependency, an early replay or a closed connection: a server on the way
 * stopped, and our call may have reached the provider or not.
 */
const UNCERTAIN_STATUSES: ReadonlySet<number> = new Set([408, 423, 424, 425, 499]);

/** Statuses that mean the same with any body: our calls came too fast, or the provider failed. */
export function throwIfUnavailable({ status, headers }: PspResponse, now: Date): void {
  if (status === 429)
    throw new PspNotSent('rate_limited', 'The provider limits our calls.', {
      retryAfter: retryAfterSeconds(headers['retry-after'], now),
    });
  if (UNCERTAIN_STATUSES.has(status))
    throw new PspOutcomeUnknown(`The provider did not finish the call (HTTP ${status}).`);
  if (status >= 500) throw new PspOutcomeUnknown(`The provider failed (HTTP ${status}).`);
}

/**
 * Passes on only words that look like a provider's code, never text from a message, and no digits that could be a card
 * number.
 */
export const safeCode = (text: string | null | undefined, pattern: RegExp): string | null =>
  text && pattern.test(text) && !/\d{9}/.test(text) ? text : null;
