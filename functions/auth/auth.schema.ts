import * as z from 'zod';
import { ROLES, SCOPES } from '#shared/domain/reference/access.catalog.ts';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import { Email } from '#shared/http/schema/common.schema.ts';

export const MagicLinkBody = z.strictObject({ email: Email }).meta({ id: 'MagicLink' });

/** The same for known and unknown addresses. */
export const MagicLinkReply = z.object({ sent: z.literal(true), message: z.string() }).meta({ id: 'MagicLinkSent' });

const CODE_MESSAGE = 'Must be a six-digit code or a recovery code.';
/** Room for a recovery code with a blank between all of its characters. */
export const MAX_CODE_LENGTH = 64;
export const Code = z.string().trim().min(6, CODE_MESSAGE).max(MAX_CODE_LENGTH, CODE_MESSAGE);

const TOKEN_MESSAGE = 'Must be the token of a sign-in link.';
export const Token = z.string(TOKEN_MESSAGE).max(200, TOKEN_MESSAGE);
export const VerifyQuery = z.strictObject({
  token: Token,
  code: Code.optional(),
});

export const SignedInReply = z
  .object({
    user: z.object({ id: z.string(), email: z.string(), totp_enabled: z.boolean() }),
    stage: z.enum(STAGE_NAMES),
    organizations: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          role: z.enum(ROLES),
          scopes: z.array(z.enum(SCOPES)).readonly(),
        }),
      )
      .readonly(),
    expires_at: z.string(),
    server_time: z.string(),
  })
  .meta({ id: 'SignedIn' });

export const TotpSetupReply = z
  .object({ secret: z.string(), otpauth_url: z.string(), recovery_codes: z.array(z.string()).readonly() })
  .meta({ id: 'TotpSetup' });

export const TotpCodeBody = z.strictObject({ code: Code }).meta({ id: 'TotpCode' });

export const TotpReply = z.object({ totp_enabled: z.boolean() }).meta({ id: 'TotpState' });

export const LogOutBody = z
  .strictObject({ everywhere: z.boolean('Must be true or false.').default(false) })
  .meta({ id: 'LogOut' });
export type LogOutInput = z.output<typeof LogOutBody>;

export const SignedOutReply = z.object({ signed_out: z.literal(true) }).meta({ id: 'SignedOut' });
