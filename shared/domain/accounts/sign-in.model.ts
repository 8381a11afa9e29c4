import type { Passkey } from '#shared/domain/accounts/passkey.model.ts';
import type { Totp } from '#shared/domain/accounts/user.model.ts';
import { DAY, HOUR, MINUTE } from '#shared/kernel/clock.ts';
import { randomText, TAG_LENGTH, withTag } from '#shared/kernel/ids.ts';

/** A link sent by email. Its token proves access to the mailbox; only the token's hash is stored. */
export type SignInLink = {
  readonly hash: string;
  readonly email: string;
  /** The organization whose invitation the sign-in accepts. Missing in links that somebody requested to sign in. */
  readonly org_id?: string;
  readonly expires_at: string;
  /** Second-factor codes that were tried so far; the link ends with a right one. */
  readonly wrong_codes: number;
};

export const SIGN_IN_LINK_LIFETIME = 15 * MINUTE;
/** The invited did not wait for the mail: a weekend and a day. Afterwards adding the member again sends another link. */
export const INVITATION_LIFETIME = 3 * DAY;
/** A link is invalid after this many tried codes. */
export const MAX_CODE_TRIES = 5;

/** How users prove who they are: with a passkey, a code of the second factor, or a link in their mailbox. */
export const PROOF_METHODS = ['passkey', 'totp', 'mail'] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];

/** The newest proof of a session. */
export type Proof = {
  readonly proved_at: string;
  /** Null for a session of the release before, which stored no method: its sign-in counts, whatever it was. */
  readonly proved_by: ProofMethod | null;
};

export type Session = Proof & {
  readonly id: string;
  readonly user_id: string;
  readonly email: string;
  readonly created_at: string;
  /** The session ends then, even if it is in use. */
  readonly ends_at: string;
};

/** For so long a proof allows changes that could lock the user out or let somebody else in. In ms. */
export const PROOF_LIFETIME = 10 * MINUTE;

/** A session ends after this time without a request, and in any case after its lifetime. In ms. */
export const SESSION_IDLE_LIMIT = 12 * HOUR;
export const SESSION_LIFETIME = 7 * DAY;

export const SESSION_COOKIE = 'service_session';

const TOKEN_LENGTH = 43;

/**
 * A token of a mailed link, or a session cookie: 35 random letters and digits (208 bits) and a tag, so that most forged
 * ones are recognized without the store. Only its hash is stored. Those of earlier releases have no tag, and are as long.
 */
export const newSignInToken = (hashSecret: string): string =>
  withTag(randomText(TOKEN_LENGTH - TAG_LENGTH), hashSecret);

export const isSignInToken = (text: string): boolean => /^[A-Za-z0-9]{43}$/.test(text);

/** A change of how a user signs in, with what is needed to undo it. */
export type SecurityChange =
  | { readonly kind: 'passkey_added'; readonly passkey_id: string }
  | { readonly kind: 'passkey_removed'; readonly passkey: Passkey }
  | { readonly kind: 'totp_on'; readonly enabled_at: string }
  | { readonly kind: 'totp_off'; readonly totp: Totp };
export type SecurityChangeKind = SecurityChange['kind'];

/** A link in the mail about a change. Only the hash of its token is stored. */
export type UndoLink = {
  readonly hash: string;
  readonly user_id: string;
  readonly change: SecurityChange;
  readonly expires_at: string;
};

/** A weekend and a day: people must have the time to read the mail. */
export const UNDO_LINK_LIFETIME = 3 * DAY;
