import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import type { Body } from '#test/support/host.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * The body, if a Standard Webhooks library accepts it at this time. The library uses the system clock, which the test
 * host's is ahead of.
 */
export function verified(secret: string, text: string, headers: Headers, at: Date): Body {
  vi.setSystemTime(at);
  try {
    return new Webhook(secret).verify(text, headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}

/** The time of sending according to the header. */
export const sentAt = (headers: Headers): Date => new Date(Number(headers['webhook-timestamp']) * 1_000);
