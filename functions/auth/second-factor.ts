import { Secret as RandomBytes } from 'otpauth';
import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import { acceptAppCode, acceptRecoveryCode, isAppCode, normalizeCode } from '#shared/domain/accounts/totp.rules.ts';
import type { Totp, User } from '#shared/domain/accounts/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { isHashOf, versionedHash } from '#shared/kernel/hash-versions.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps, ServiceConfig } from '#shared/ports/deps.ts';
import type { SealContext } from '#shared/ports/vault.port.ts';

type CodeDeps = Pick<Deps, 'rates' | 'vault' | 'config'>;

/** The user with this code used up, to be saved by the caller. Undefined for a wrong code. */
export async function consumeCode(user: User, typed: string, at: Date, deps: CodeDeps): Promise<User | undefined> {
  const code = normalizeCode(typed);
  if (isAppCode(code)) return consumeAppCode(user, code, at, deps);
  await assertTriesLeft(user, 'recovery_code', at, deps.rates);
  const totp = user.totp && acceptRecoveryCode(user.totp, isRecoveryHash(user.id, code, deps.config));
  return totp ? { ...user, totp } : undefined;
}

/** As above, but accepts only codes of the authenticator app. */
export async function consumeAppCode(
  user: User,
  typed: string,
  at: Date,
  { rates, vault }: Pick<Deps, 'rates' | 'vault'>,
): Promise<User | undefined> {
  const code = normalizeCode(typed);
  if (!user.totp || !isAppCode(code)) return undefined;
  await assertTriesLeft(user, 'totp_code', at, rates);
  const totp = acceptAppCode(user.totp, await vault.open(user.totp.secret, totpSealContext(user.id)), code, at);
  return totp && { ...user, totp };
}

type CodeKind = 'totp_code' | 'recovery_code';

const OTHER_WAY: Readonly<Record<CodeKind, string>> = {
  totp_code: 'Use a recovery code',
  recovery_code: 'Use a code of the authenticator app',
};

/**
 * The limit of tries per sign-in link is not enough: an attacker can request new links and try many at once. So each
 * try is counted per user before it is checked. The two kinds count apart, so that a user without tries left of one has
 * those of the other.
 */
async function assertTriesLeft({ id }: User, kind: CodeKind, at: Date, rates: Deps['rates']): Promise<void> {
  const { exceeded } = await rates.countCode(id, kind, at);
  if (exceeded)
    throw new AppError(
      'rate_limited',
      `Too many codes were tried. ${OTHER_WAY[kind]}, or try again in ${exceeded.retryAfter} seconds.`,
      exceeded,
    );
}

/** The length of a SHA-1 digest. */
const SECRET_BYTES = 20;
const RECOVERY_BYTES = 10;
const RECOVERY_CODES = 10;

export const newTotpSecret = (): Secret<string> => new Secret(randomBase32(SECRET_BYTES));

/** In groups of four characters: `ABCD-EFGH-IJKL-MNOP`. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () => randomBase32(RECOVERY_BYTES).replace(/.{4}(?=.)/g, '$&-'));

/** Base 32, which apps accept and people can type: no two of its characters look alike. */
const randomBase32 = (bytes: number): string => new RandomBytes({ size: bytes }).base32;

export const totpSealContext = (userId: string): SealContext => ({ orgId: userId, purpose: 'totp_secret', id: userId });

const codeHash = (userId: string, code: string) => (recoverySecret: string) =>
  keyedHash(recoverySecret, 'recovery code', userId, code).toString('hex');

/** The hash of a normalized recovery code. Only the hash is stored. */
export const recoveryHash = (userId: string, code: string, { recoverySecret, rotations }: RecoveryConfig): string =>
  rotations?.recoverySecret
    ? versionedHash(recoverySecret, rotations.recoverySecret, codeHash(userId, code))
    : codeHash(userId, code)(recoverySecret);

type RecoveryConfig = Pick<ServiceConfig, 'recoverySecret' | 'rotations'>;

const isRecoveryHash =
  (userId: string, code: string, { recoverySecret, rotations }: RecoveryConfig) =>
  (stored: string): boolean =>
    isHashOf(stored, recoverySecret, rotations?.recoverySecret, codeHash(userId, code));

export const missingCode = (): AppError =>
  new AppError(
    'totp_required',
    'Two-factor authentication is on. Send a code of the authenticator app or a recovery code in `code`.',
  );

export const invalidCode = (): AppError =>
  new AppError('invalid_code', 'This code is incorrect or was already used. Enter another code.');

/** Fails if the user has changed since it was read, so that of two requests with the same code one succeeds. */
export async function saveTotp(
  user: User,
  totp: Totp | null,
  { users }: Pick<Deps, 'users'>,
  audits: readonly OrganizationAuditEntry[] = [],
): Promise<void> {
  if (!(await users.save({ ...user, totp, version: user.version + 1 }, audits))) throw userChanged();
}

export const userChanged = (): AppError =>
  new AppError('write_conflict', 'This user was changed by another request. Try again.');
