import { MINUTE } from '#shared/kernel/clock.ts';

/** A key pair that somebody's device keeps for our domain; this is its public half. */
export type Passkey = {
  /** The credential's id as its device gave it, base64url. */
  readonly id: string;
  readonly user_id: string;
  readonly name: string | null;
  /** In COSE form, base64url. */
  readonly public_key: string;
  /** Of the newest signature. Devices that do not count say 0 each time. */
  readonly counter: number;
  /** How a browser reaches the device: `internal`, `hybrid`, `usb` and others. */
  readonly transports: readonly string[];
  readonly created_at: string;
  readonly last_used_at: string | null;
};

/** A signature with it, by which somebody signs in. */
export type PasskeyUse = Pick<Passkey, 'id' | 'user_id' | 'counter'>;

/** What a device is asked to sign, once: for this user's new passkey, or by whoever signs in. */
export type PasskeyChallenge = { readonly text: string; readonly user_id: string | null };

export const CHALLENGE_LIFE = 5 * MINUTE;

/** Whole bytes in base64url, which browsers write back as it was: 33 of them, 262 random bits. */
export const CHALLENGE_LENGTH = 44;

/** More than anybody has devices, and few enough to be read at once. */
export const MOST_PASSKEYS = 20;
