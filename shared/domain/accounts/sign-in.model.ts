import { DAY, HOUR, MINUTE } from '#shared/kernel/clock.ts';

/** A link sent by email. Its token proves access to the mailbox; only the token's hash is stored. */
export type SignInLink = {
  readonly hash: string;
  readonly email: string;
  readonly expires_at: string;
  /** Wrong second-factor codes so far. */
  readonly wrong_codes: number;
};

export const SIGN_IN_LINK_LIFETIME = 15 * MINUTE;
/** A link is invalid after this many wrong codes. */
export const MAX_WRONG_CODES = 5;

export type Session = {
  readonly id: string;
  readonly user_id: string;
  readonly email: string;
  readonly created_at: string;
  /** The session ends then, even if it is in use. */
  readonly ends_at: string;
};

/** A session ends after this time without a request, and in any case after its lifetime. In ms. */
export const SESSION_IDLE_LIMIT = 12 * HOUR;
export const SESSION_LIFETIME = 7 * DAY;

export const SESSION_COOKIE = 'service_session';

/** Tokens and session cookies are 43 random letters and digits (256 bits). Only their hash is stored. */
export const TOKEN_LENGTH = 43;

export const isSignInToken = (text: string): boolean => /^[A-Za-z0-9]{43}$/.test(text);
