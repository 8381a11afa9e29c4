import { MINUTE } from '#shared/kernel/clock.ts';

/** The public half of a key pair that a user's device holds for our domain. */
export type Passkey = {
  /** The credential's id as its device gave it, base64url. */
  readonly id: string;
  readonly user_id: string;
  readonly name: string | null;
  /** In COSE form, base64url. */
  readonly public_key: string;
  /** The newest signature's counter. Devices without a counter send 0 each time. */
  readonly counter: number;
  /** How a browser reaches the device: `internal`, `hybrid`, `usb` and others. */
  readonly transports: readonly string[];
  readonly created_at: string;
  readonly last_used_at: string | null;
};

/** A signature with it that signs a user in. */
export type PasskeyUse = Pick<Passkey, 'id' | 'user_id' | 'counter'>;

/** A challenge to sign, once: for a user's new passkey, or for a sign-in. */
export type PasskeyChallenge = { readonly text: string; readonly user_id: string | null };

export const CHALLENGE_LIFE = 5 * MINUTE;

/** Whole bytes in base64url, which browsers return unchanged: 33 bytes, or 262 random bits. */
export const CHALLENGE_LENGTH = 44;

/** More than a user has devices, and few enough to read at once. */
export const MOST_PASSKEYS = 20;
