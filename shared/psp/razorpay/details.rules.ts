import { truncate } from '#shared/kernel/text.ts';
import type { ChargeOrder } from '#shared/ports/psp.port.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Razorpay's own limit for a language. */
const MAX_LANGUAGE_LENGTH = 8;

/**
 * The customer's browser, for the 3-D Secure of a saved card. Razorpay refuses fields that a call does not have, and
 * addresses, lines, statements, challenges and exemptions are in none of ours. Source: S2S JSON v2, cards, read in
 * 2026-11.
 */
export function browserFields({ method, details }: ChargeOrder): Fields {
  const browser = details?.browser;
  if (method !== 'card' || !browser) return {};
  const { language, origin, user_agent } = browser;
  return {
    authentication: { authentication_channel: 'browser' },
    browser: {
      java_enabled: browser.java_enabled,
      javascript_enabled: browser.javascript_enabled,
      timezone_offset: browser.time_zone_offset,
      color_depth: browser.color_depth,
      screen_width: browser.screen_width,
      screen_height: browser.screen_height,
      ...(language.length <= MAX_LANGUAGE_LENGTH && { language }),
    },
    user_agent,
    ...(origin && { referer: origin }),
  };
}

/** How Razorpay's page names the customer. */
export const nameOf = ({ details }: ChargeOrder): string | undefined =>
  truncate(details?.billing?.name?.trim() ?? '', 50) || undefined;
