import { SESSION_COOKIE } from '#shared/domain/accounts/sign-in.model.ts';

/** No script can read it, and no other site's form or image sends it. */
const TRAITS = 'Path=/; HttpOnly; Secure; SameSite=Lax';

export const sessionCookie = (value: string, seconds: number): string =>
  `${SESSION_COOKIE}=${value}; Max-Age=${seconds}; ${TRAITS}`;

export const endedCookie = sessionCookie('', 0);
