import * as z from 'zod';
import { SESSION_IDLE_LIMIT } from '#shared/domain/accounts/sign-in.model.ts';
import { ROLES, SCOPES } from '#shared/domain/reference/access.catalog.ts';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import { Email } from '#shared/http/schema/common.schema.ts';
import { HOUR } from '#shared/kernel/clock.ts';

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
          scopes: z
            .array(z.enum(SCOPES))
            .readonly()
            .meta({ description: 'What the role allows in this organization.' }),
        }),
      )
      .readonly(),
    expires_at: z.string(),
    server_time: z.string().meta({ description: 'What counts as now here: a browser’s clock may be wrong.' }),
  })
  .meta({
    id: 'SignedIn',
    description:
      'The signed-in user and their organizations. The session ends at `expires_at` at the latest, ' +
      `and earlier after ${SESSION_IDLE_LIMIT / HOUR} hours without a request.`,
  });

export const TotpSetupReply = z
  .object({ secret: z.string(), otpauth_url: z.string(), recovery_codes: z.array(z.string()).readonly() })
  .meta({
    id: 'TotpSetup',
    description:
      'Shown once. Codes are required only after a code of the authenticator app has turned it on. ' +
      'Each recovery code replaces a code of the app once. Spaces, dashes and case do not matter, and ' +
      'digits may be of any script.',
  });

export const TotpCodeBody = z.strictObject({ code: Code }).meta({ id: 'TotpCode' });

export const TotpReply = z.object({ totp_enabled: z.boolean() }).meta({ id: 'TotpState' });

export const LogOutBody = z
  .strictObject({ everywhere: z.boolean('Must be true or false.').default(false) })
  .meta({ id: 'LogOut', description: "`everywhere` ends all of the user's sessions, not only this one." });
export type LogOutInput = z.output<typeof LogOutBody>;

export const SignedOutReply = z.object({ signed_out: z.literal(true) }).meta({ id: 'SignedOut' });
