import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import type { Body } from '#test/support/host.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * The body, if the standard's own library takes it at this time. It knows no clock but the system's, of which a test's
 * host is ahead.
 */
export function verified(secret: string, text: string, headers: Headers, at: Date): Body {
  vi.setSystemTime(at);
  try {
    return new Webhook(secret).verify(text, headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}

/** When it was sent, as it says itself. */
export const sentAt = (headers: Headers): Date => new Date(Number(headers['webhook-timestamp']) * 1_000);
