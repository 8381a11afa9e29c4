import type * as z from 'zod';
import { retryAfterSeconds } from '#shared/adapters/net/retry-after.rules.ts';
import { PspNotSent, PspOutcomeUnknown, type PspReply } from '#shared/ports/psp.port.ts';

/** The parsed answer; invalid JSON says nothing about the outcome. The text itself goes into no message. */
export function json({ text, status }: PspReply): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PspOutcomeUnknown(`The answer (HTTP ${status}) is not JSON.`);
  }
}

/** Reads what a provider answers by the shape that it should have; another one says nothing about the outcome. */
export const readAs =
  (provider: string) =>
  <T>(shape: z.ZodType<T>, what: string, value: unknown): T => {
    const parsed = shape.safeParse(value);
    if (!parsed.success) throw new PspOutcomeUnknown(`${provider}'s ${what} is not understood.`);
    return parsed.data;
  };

/** Statuses that mean the same with any body: our calls came too fast, or the provider failed. */
export function throwTrouble({ status, headers }: PspReply, now: Date): void {
  if (status === 429)
    throw new PspNotSent('rate_limited', 'The provider asks for fewer calls.', {
      retryAfter: retryAfterSeconds(headers['retry-after'], now),
    });
  if (status >= 500) throw new PspOutcomeUnknown(`The provider failed (HTTP ${status}).`);
}
