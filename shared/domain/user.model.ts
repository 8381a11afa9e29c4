import { normalEmail } from '#shared/domain/owner.model.ts';
import type { Role } from '#shared/domain/roles.catalog.ts';
import { idFrom, keyedHash } from '#shared/kernel/ids.ts';

/** A second factor: codes of an authenticator app, and a few for the day it is lost. */
export type Totp = {
  /** The secret, sealed. */
  readonly secret: string;
  /** Null while it is set up and not yet proven. */
  readonly enabled_at: string | null;
  /** The newest time step whose code was used; none up to it is taken again. */
  readonly last_step: number;
  /** Keyed hashes; one is taken out when it is used. */
  readonly recovery_hashes: readonly string[];
};

/** Somebody who signs in, by the mail address. */
export type User = {
  readonly id: string;
  readonly email: string;
  readonly totp: Totp | null;
  readonly created_at: string;
  readonly version: number;
};

/** A user's part in an organization. */
export type Membership = {
  readonly org_id: string;
  readonly user_id: string;
  readonly email: string;
  readonly role: Role;
  readonly created_at: string;
  /** When the invitation was mailed; null where it still has to be, or never had to. */
  readonly invited_at: string | null;
  /** Null while the invited has not signed in since. */
  readonly joined_at: string | null;
};

export const hasTotp = ({ totp }: User): boolean => totp !== null && totp.enabled_at !== null;

/** Somebody who was never here. */
export const newUser = (id: string, email: string, at: Date): User => ({
  id,
  email: normalEmail(email),
  totp: null,
  created_at: at.toISOString(),
  version: 1,
});

/** The id tells no time: it would tell those who invite an address since when somebody signs in with it. */
const NO_TIME = new Date(0);

/** Whoever comes first, by signing in or by being invited: the user of an address has the id that follows from it. */
export const userIdOf = (hashSecret: string, email: string): string => idFrom('user', NO_TIME, keyedHash(hashSecret, 'user', normalEmail(email)));
