import { MINUTE } from '#shared/kernel/clock.ts';

/** The public half of a key pair that a user's device holds for our domain. */
export type Passkey = {
  /** The credential id that the device chose, base64url. */
  readonly id: string;
  readonly user_id: string;
  readonly name: string | null;
  /** In COSE form, base64url. */
  readonly public_key: string;
  /** The counter of the newest signature. Devices without a counter always send 0. */
  readonly counter: number;
  /** How a browser reaches the device: `internal`, `hybrid`, `usb` and others. */
  readonly transports: readonly string[];
  readonly created_at: string;
  /** Null if that was not recorded. */
  readonly created_by: string | null;
  readonly last_used_at: string | null;
};

/** A signature that signs a user in. */
export type PasskeyUse = Pick<Passkey, 'id' | 'user_id' | 'counter'>;

/** A challenge that is signed once. `user_id`: the user who registers a passkey; null for a sign-in. */
export type PasskeyChallenge = { readonly text: string; readonly user_id: string | null };

export const CHALLENGE_LIFETIME = 5 * MINUTE;

/** In base64url characters. A multiple of 4 (33 bytes, 262 random bits), which browsers return unchanged. */
export const CHALLENGE_LENGTH = 44;

/** More than users have devices, and few enough to read at once. */
export const MAX_PASSKEYS = 20;
