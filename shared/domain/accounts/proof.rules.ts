import { PROOF_LIFETIME, type Proof, type ProofMethod } from '#shared/domain/accounts/sign-in.model.ts';
import { hasTotp, type User } from '#shared/domain/accounts/user.model.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';

/**
 * What this user can prove themselves with. Mail counts only where there is nothing stronger: otherwise whoever reads
 * the mailbox could do without the second factor.
 */
export function proofMethods(user: User, passkeys: readonly unknown[]): readonly ProofMethod[] {
  const strong: readonly ProofMethod[] = [
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
    ...(hasTotp(user) ? (['totp'] as const) : []),
  ];
  return strong.length > 0 ? strong : ['mail'];
}

export const proofEnd = ({ proved_at }: Proof): string => plus(new Date(proved_at), PROOF_LIFETIME).toISOString();

export const isFresh = (proof: Proof, at: Date): boolean => proofEnd(proof) > at.toISOString();

const HOW: Readonly<Record<ProofMethod, string>> = {
  passkey: 'a passkey',
  totp: 'a code of the authenticator app or a recovery code',
  mail: 'the token of a sign-in link',
};

export const freshProofRequired = (methods: readonly ProofMethod[]): AppError =>
  new AppError(
    'fresh_proof_required',
    `This needs a proof of identity that is less than ${PROOF_LIFETIME / MINUTE} minutes old. ` +
      `Send ${methods.map((method) => HOW[method]).join(' or ')} to POST /v1/auth/prove, or sign in again.`,
    { details: { methods } },
  );
