import { normalEmail } from '#shared/domain/reference/mail-address.rules.ts';
import type { Role } from '#shared/domain/reference/roles.catalog.ts';
import { idFrom, keyedHash } from '#shared/kernel/ids.ts';

/** A second factor: an authenticator app, with recovery codes in case it is lost. */
export type Totp = {
  /** The secret, sealed. */
  readonly secret: string;
  /** Null until it is confirmed by a code. */
  readonly enabled_at: string | null;
  /** The newest used time step; no code up to it is accepted again. */
  readonly last_step: number;
  /** Keyed hashes; a used one is removed. */
  readonly recovery_hashes: readonly string[];
};

/** A person who signs in, by mail address. */
export type User = {
  readonly id: string;
  readonly email: string;
  readonly totp: Totp | null;
  readonly created_at: string;
  readonly version: number;
};

/** A user's membership in an organization. */
export type Membership = {
  readonly org_id: string;
  readonly user_id: string;
  readonly email: string;
  readonly role: Role;
  readonly created_at: string;
  /** When the invitation was mailed; null where it is still owed, or none was needed. */
  readonly invited_at: string | null;
  /** Null until the invited user signs in. */
  readonly joined_at: string | null;
};

export const hasTotp = ({ totp }: User): boolean => totp !== null && totp.enabled_at !== null;

/** A new user. */
export const newUser = (id: string, email: string, at: Date): User => ({
  id,
  email: normalEmail(email),
  totp: null,
  created_at: at.toISOString(),
  version: 1,
});

/** The id holds no time: inviters must not learn from it when an address first signed in. */
const NO_TIME = new Date(0);

/** The user of an address has an id derived from it, whether a sign-in or an invitation comes first. */
export const userIdOf = (hashSecret: string, email: string): string =>
  idFrom('user', NO_TIME, keyedHash(hashSecret, 'user', normalEmail(email)));
