import type { Role } from '#shared/domain/reference/access.catalog.ts';
import { normalizeEmail } from '#shared/domain/reference/email.rules.ts';
import { idFrom, keyedHash } from '#shared/kernel/ids.ts';

/** The second factor: an authenticator app, and recovery codes in case it is lost. */
export type Totp = {
  /** Encrypted. */
  readonly secret: string;
  /** Who set it up. Missing if that was not recorded. */
  readonly created_by?: string;
  /** Null until a code has confirmed the setup. */
  readonly enabled_at: string | null;
  /** The newest used time step. No code of it or an earlier step is accepted. */
  readonly last_step: number;
  /** Keyed hashes of the unused recovery codes. */
  readonly recovery_hashes: readonly string[];
};

/** A person who signs in. The email address identifies them. */
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
  /** The user who added the member. Null if that was not recorded. */
  readonly created_by: string | null;
  /** The user who gave the current role. Null if that was not recorded. */
  readonly role_given_by: string | null;
  /** When the invitation was sent. Null if it is not sent yet, or none was needed. */
  readonly invited_at: string | null;
  /** Null until the invited user signs in. */
  readonly joined_at: string | null;
};

export const hasTotp = ({ totp }: User): boolean => totp !== null && totp.enabled_at !== null;

export const newUser = (id: string, email: string, at: Date): User => ({
  id,
  email: normalizeEmail(email),
  totp: null,
  created_at: at.toISOString(),
  version: 1,
});

/** The id contains no time: it must not tell inviters when an address first signed in. */
const NO_TIME = new Date(0);

/** Derived from the address: it is the same whether a sign-in or an invitation comes first. */
export const userIdOf = (hashSecret: string, email: string): string =>
  idFrom('user', NO_TIME, keyedHash(hashSecret, 'user', normalizeEmail(email)));
