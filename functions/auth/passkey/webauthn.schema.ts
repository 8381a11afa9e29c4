import * as z from 'zod';
import { Code } from '#functions/auth/auth.schema.ts';
import { Name } from '#shared/http/schema/common.schema.ts';

/** What browsers send and receive, in the W3C's JSON. Unknown inner fields are left unread. */
const Base64Url = (most: number) =>
  z
    .string('Must be base64url text.')
    .regex(/^[\w-]+$/, 'Must be base64url text.')
    .max(most, `Must have at most ${most} characters.`);

const MOST_DATA = 65_536;
const Data = Base64Url(MOST_DATA);
const CredentialId = Base64Url(1_364);
const Transports = z.array(z.string().max(32)).max(16);
const Type = z.literal('public-key', 'Must be public-key.');

/** The envelope of either kind of answer. */
const Credential = {
  id: CredentialId,
  rawId: CredentialId,
  type: Type,
  authenticatorAttachment: z.string().max(32).nullish(),
  clientExtensionResults: z.looseObject({}).optional(),
};

export const RegistrationStart = z.strictObject({ code: Code.optional() }).meta({
  id: 'PasskeyRegistrationStart',
  description:
    '`code` is needed where two-factor authentication is on: one of the authenticator app, or a recovery code. It is used up.',
});

export const RegistrationBody = z
  .strictObject({
    ...Credential,
    response: z.object({ clientDataJSON: Data, attestationObject: Data, transports: Transports.nullish() }),
    name: Name.nullish(),
  })
  .meta({
    id: 'PasskeyRegistration',
    description:
      'What `navigator.credentials.create()` gives, by its `toJSON()`; and, if you like, what the user calls this passkey.',
  });

export const AuthenticationBody = z
  .strictObject({
    ...Credential,
    response: z.object({
      clientDataJSON: Data,
      authenticatorData: Data,
      signature: Data,
      userHandle: Base64Url(128).nullish(),
    }),
  })
  .meta({ id: 'PasskeyAuthentication', description: 'What `navigator.credentials.get()` gives, by its `toJSON()`.' });

const Required = z.literal('required');

export const CreationOptionsReply = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: Type, alg: z.number() })),
    timeout: z.number(),
    excludeCredentials: z.array(z.object({ id: z.string(), type: Type, transports: z.array(z.string()) })),
    authenticatorSelection: z.object({
      residentKey: Required,
      requireResidentKey: z.boolean(),
      userVerification: Required,
    }),
    attestation: z.literal('none'),
    extensions: z.object({ credProps: z.boolean() }),
  })
  .meta({
    id: 'PasskeyCreationOptions',
    description:
      'For `PublicKeyCredential.parseCreationOptionsFromJSON()`. The challenge is taken once, for 5 minutes.',
  });

export const RequestOptionsReply = z
  .object({
    rpId: z.string(),
    challenge: z.string(),
    allowCredentials: z.array(z.never()),
    timeout: z.number(),
    userVerification: Required,
  })
  .meta({
    id: 'PasskeyRequestOptions',
    description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON()`. The challenge is taken once, for 5 minutes.',
  });

export const PasskeyReply = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    transports: z.array(z.string()),
    created_at: z.string(),
    last_used_at: z.string().nullable(),
  })
  .meta({ id: 'Passkey' });

export const PasskeysReply = z.object({ credentials: z.array(PasskeyReply) }).meta({ id: 'Passkeys' });

export const ByCredentialId = z.strictObject({ id: z.string() });

export const PasskeyDeletedReply = z
  .object({ id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'PasskeyDeleted' });
