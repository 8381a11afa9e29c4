import { retryAfterSeconds } from '#shared/net/retry-after.rules.ts';
import { PspNotSent, PspOutcomeUnknown, type PspReply } from '#shared/ports/psp.port.ts';

/** The parsed answer; what is no JSON says nothing about the outcome. The text itself goes into no message. */
export function json({ text, status }: PspReply): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PspOutcomeUnknown(`The answer (HTTP ${status}) is not JSON.`);
  }
}

/** For the statuses whose meaning no body changes: our calls came too fast, or the provider itself failed. */
export function throwTrouble({ status, headers }: PspReply, now: Date): void {
  if (status === 429)
    throw new PspNotSent('rate_limited', 'The provider asks for fewer calls.', { retryAfter: retryAfterSeconds(headers['retry-after'], now) });
  if (status >= 500) throw new PspOutcomeUnknown(`The provider failed (HTTP ${status}).`);
}
