import * as z from 'zod';
import { ROLES } from '#shared/domain/reference/roles.catalog.ts';
import { Email } from '#shared/http/schema/common.schema.ts';

export const MagicLinkBody = z.strictObject({ email: Email }).meta({ id: 'MagicLink' });

/** The same for a known and an unknown address. */
export const MagicLinkReply = z.object({ sent: z.literal(true), message: z.string() }).meta({ id: 'MagicLinkSent' });

export const Code = z
  .string()
  .trim()
  .min(6, 'Must be a code of six digits, or a recovery code.')
  .max(32, 'Must be a code of six digits, or a recovery code.');

export const VerifyQuery = z.strictObject({
  token: z.string('Must be the token of a sign-in link.').max(200, 'Must be the token of a sign-in link.'),
  code: Code.optional(),
});

export const SignedInReply = z
  .object({
    user: z.object({ id: z.string(), email: z.string(), totp_enabled: z.boolean() }),
    organizations: z.array(z.object({ id: z.string(), name: z.string(), role: z.enum(ROLES) })).readonly(),
    expires_at: z.string(),
  })
  .meta({
    id: 'SignedIn',
    description:
      'Who is signed in, and in which organizations. `expires_at` is when the session ends at the latest; after 12 hours without a request it ends sooner.',
  });

export const TotpSetupReply = z
  .object({ secret: z.string(), otpauth_url: z.string(), recovery_codes: z.array(z.string()).readonly() })
  .meta({
    id: 'TotpSetup',
    description:
      'Shown once. Nothing is asked for until a code of the authenticator app enables it. Each recovery code stands once for one of the app; spaces, dashes and case do not matter.',
  });

export const TotpCodeBody = z.strictObject({ code: Code }).meta({ id: 'TotpCode' });

export const TotpReply = z.object({ totp_enabled: z.boolean() }).meta({ id: 'TotpState' });

export const LogOutBody = z
  .strictObject({ everywhere: z.boolean('Must be true or false.').default(false) })
  .meta({ id: 'LogOut', description: "`everywhere` ends all of the user's sessions, not only this one." });
export type LogOutInput = z.output<typeof LogOutBody>;

export const SignedOutReply = z.object({ signed_out: z.literal(true) }).meta({ id: 'SignedOut' });
