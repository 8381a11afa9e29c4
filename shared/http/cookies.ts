import { SESSION_COOKIE } from '#shared/domain/sign-in.model.ts';
import type { ApiEvent } from '#shared/http/request-state.ts';

/** Of two of one name the first counts: browsers send that of the longer path first. */
export function cookiesOf({ cookies = [] }: Pick<ApiEvent, 'cookies'>): Readonly<Record<string, string>> {
  const pairs = cookies.map((text) => {
    const mark = text.indexOf('=');
    return [text.slice(0, mark).trim(), text.slice(mark + 1).trim()] as const;
  });
  return Object.fromEntries(pairs.toReversed());
}

/** No script sees it, and no other site's form or image sends it. */
const TRAITS = 'Path=/; HttpOnly; Secure; SameSite=Lax';

export const sessionCookie = (value: string, seconds: number): string => `${SESSION_COOKIE}=${value}; Max-Age=${seconds}; ${TRAITS}`;

export const endedCookie = sessionCookie('', 0);
