import * as z from 'zod';
import { Code, Token } from '#functions/auth/auth.schema.ts';
import { AuthenticationBody } from '#functions/auth/passkeys.schema.ts';
import { PROOF_METHODS } from '#shared/domain/accounts/sign-in.model.ts';

const ONE_OF_THREE = 'Send exactly one of code, passkey and token.';
const isOne = (body: Readonly<Record<string, unknown>>): boolean =>
  [body.code, body.passkey, body.token].filter((each) => each !== undefined).length === 1;

export const ProveBody = z
  .strictObject({ code: Code.optional(), passkey: AuthenticationBody.optional(), token: Token.optional() })
  .refine(isOne, { path: ['code'], message: ONE_OF_THREE })
  .meta({ id: 'Prove' });
export type ProveInput = z.output<typeof ProveBody>;

export const ProofReply = z.object({ method: z.enum(PROOF_METHODS), valid_until: z.string() }).meta({ id: 'Proof' });
