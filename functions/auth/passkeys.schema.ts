import * as z from 'zod';
import { Code } from '#functions/auth/auth.schema.ts';
import { Name } from '#shared/http/schema/common.schema.ts';

/** The JSON that browsers send and receive (W3C WebAuthn). Unknown inner fields are ignored. */
const Base64Url = (maxLength: number) =>
  z
    .string('Must be base64url text.')
    .regex(/^[\w-]+$/, 'Must be base64url text.')
    .max(maxLength, `Must have at most ${maxLength} characters.`);

const MAX_DATA = 65_536;
const Data = Base64Url(MAX_DATA);
const CredentialId = Base64Url(1_364);
const Transports = z.array(z.string().max(32)).max(16);
const Type = z.literal('public-key', 'Must be public-key.');

/** The fields that both kinds of responses share. */
const Credential = {
  id: CredentialId,
  rawId: CredentialId,
  type: Type,
  authenticatorAttachment: z.string().max(32).nullish(),
  clientExtensionResults: z.looseObject({}).optional(),
};

export const RegistrationStart = z.strictObject({ code: Code.optional() }).meta({ id: 'PasskeyRegistrationStart' });

export const RegistrationBody = z
  .strictObject({
    ...Credential,
    response: z.object({ clientDataJSON: Data, attestationObject: Data, transports: Transports.nullish() }),
    name: Name.nullish(),
  })
  .meta({ id: 'PasskeyRegistration' });

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
  .meta({ id: 'PasskeyAuthentication' });

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
  .meta({ id: 'PasskeyCreationOptions' });

export const RequestOptionsReply = z
  .object({
    rpId: z.string(),
    challenge: z.string(),
    allowCredentials: z.array(z.never()),
    timeout: z.number(),
    userVerification: Required,
  })
  .meta({ id: 'PasskeyRequestOptions' });

export const PasskeyReply = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    transports: z.array(z.string()),
    created_at: z.string(),
    created_by: z.string().nullable(),
    last_used_at: z.string().nullable(),
  })
  .meta({ id: 'Passkey' });

export const PasskeysReply = z.object({ credentials: z.array(PasskeyReply) }).meta({ id: 'Passkeys' });

export const ByCredentialId = z.strictObject({ id: z.string() });

export const PasskeyDeletedReply = z
  .object({ id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'PasskeyDeleted' });
