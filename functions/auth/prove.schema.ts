import * as z from 'zod';
import { Code, Token } from '#functions/auth/auth.schema.ts';
import { AuthenticationBody } from '#functions/auth/passkeys.schema.ts';
import { PROOF_LIFETIME, PROOF_METHODS } from '#shared/domain/accounts/sign-in.model.ts';
import { MINUTE } from '#shared/kernel/clock.ts';

const ONE_OF_THREE = 'Send exactly one of code, passkey and token.';
const isOne = (body: Readonly<Record<string, unknown>>): boolean =>
  [body.code, body.passkey, body.token].filter((each) => each !== undefined).length === 1;

export const ProveBody = z
  .strictObject({ code: Code.optional(), passkey: AuthenticationBody.optional(), token: Token.optional() })
  .refine(isOne, { path: ['code'], message: ONE_OF_THREE })
  .meta({
    id: 'Prove',
    description:
      'One of three. `code`: of the authenticator app, or a recovery code. `passkey`: a signature for the challenge of ' +
      '`POST /v1/auth/webauthn/authenticate/begin`. `token`: of a sign-in link, for users who have neither a passkey ' +
      'nor two-factor authentication. Each is used up.',
  });
export type ProveInput = z.output<typeof ProveBody>;

export const ProofReply = z.object({ method: z.enum(PROOF_METHODS), valid_until: z.string() }).meta({
  id: 'Proof',
  description:
    `For ${PROOF_LIFETIME / MINUTE} minutes the session may make changes that could lock the user out or let somebody ` +
    'else in.',
});
