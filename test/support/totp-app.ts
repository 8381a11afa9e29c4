import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { TestHost } from '#test/support/host.ts';
import { type SignedInUser, signIn } from '#test/support/people.ts';

const STEP_MS = 30_000;
const stepAt = (at: Date): number => Math.floor(at.getTime() / STEP_MS);

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Decodes a secret in base 32. */
export function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code that an app with this secret shows (RFC 6238, without our code), on a clock `ahead` steps ahead. */
export function codeAt(secret: string, at: Date, ahead = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(stepAt(at) + ahead));
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 0x0f) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** A code that is not valid near this time. */
export function wrongCodeAt(secret: string, at: Date): string {
  const near = [-3, -2, -1, 0, 1, 2, 3].map((ahead) => codeAt(secret, at, ahead));
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555', '666666', '777777'].find(
      (code) => !near.includes(code),
    ) ?? ''
  );
}

/**
 * Advances the clock by so many steps, into the middle of a step. After three steps, no code that the app showed before
 * is accepted.
 */
export async function skipSteps(host: TestHost, steps = 3): Promise<void> {
  await host.clock.stand(new Date((stepAt(host.clock.now()) + steps + 0.5) * STEP_MS));
}

export type TotpUser = SignedInUser & {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** The code that the app shows now, on a clock `ahead` steps ahead. */
  readonly code: (ahead?: number) => string;
};

/** A signed-in user who enabled two-factor authentication some steps ago. */
export const aTotpUser = async (host: TestHost, email: string): Promise<TotpUser> =>
  withTotp(host, await signIn(host, email));

/** The user with two-factor authentication, enabled some steps ago. */
export async function withTotp(host: TestHost, person: SignedInUser): Promise<TotpUser> {
  const { secret, recovery_codes: recoveryCodes } = (await person.call('POST', '/v1/auth/2fa/setup')).body;
  const code = (ahead = 0) => codeAt(secret, host.clock.now(), ahead);
  expect((await person.call('POST', '/v1/auth/2fa/enable', { code: code() })).status).toBe(200);
  await skipSteps(host);
  return { ...person, secret, recoveryCodes, code };
}
