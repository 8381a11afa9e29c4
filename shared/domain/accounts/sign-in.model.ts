import { DAY, HOUR, MINUTE } from '#shared/kernel/clock.ts';

/** A mailed link, by its token's hash. Holding the token proves access to the mailbox. */
export type SignInLink = {
  readonly hash: string;
  readonly email: string;
  readonly expires_at: string;
  /** Wrong second factors so far. */
  readonly wrong_codes: number;
};

export const LINK_LIFE = 15 * MINUTE;
/** How many wrong codes burn the link. */
export const MOST_WRONG_CODES = 5;

export type Session = {
  readonly id: string;
  readonly user_id: string;
  readonly email: string;
  readonly created_at: string;
  /** The end of a session, even while it is in use. */
  readonly ends_at: string;
};

/** A session ends after this idle time, in ms, and in any case this long after sign-in. */
export const SESSION_IDLE = 12 * HOUR;
export const SESSION_LIFE = 7 * DAY;

export const SESSION_COOKIE = 'service_session';

/** Only the hash is stored: tokens and cookies are random, 43 letters and digits with 256 bits. */
export const TOKEN_LENGTH = 43;

export const isToken = (text: string): boolean => /^[A-Za-z0-9]{43}$/.test(text);
