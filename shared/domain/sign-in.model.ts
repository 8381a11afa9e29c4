import { createHash } from 'node:crypto';
import { DAY, HOUR, MINUTE } from '#shared/kernel/clock.ts';

/** A mailed link, by the hash of its token. Whoever brings the token has read the mail. */
export type SignInLink = {
  readonly hash: string;
  readonly email: string;
  readonly expires_at: string;
  /** Wrong second factors so far. */
  readonly wrong_codes: number;
};

export const LINK_LIFE = 15 * MINUTE;
/** So many wrong codes burn the link. */
export const MOST_WRONG_CODES = 5;

export type Session = {
  readonly id: string;
  readonly user_id: string;
  readonly email: string;
  readonly created_at: string;
  /** However busy it is. */
  readonly ends_at: string;
};

/** A session ends when nobody used it for so long, ms; and this long after the sign-in in any case. */
export const SESSION_IDLE = 12 * HOUR;
export const SESSION_LIFE = 7 * DAY;

export const SESSION_COOKIE = 'service_session';

/** Tokens and cookies are random text of ours, and their own proof: only this is stored. 43 letters and digits hold 256 bits. */
export const TOKEN_LENGTH = 43;
export const hashOfToken = (text: string): string => createHash('sha256').update(text).digest('hex');

export const isToken = (text: string): boolean => /^[A-Za-z0-9]{43}$/.test(text);
