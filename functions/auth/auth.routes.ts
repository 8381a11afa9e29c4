import {
  LogOutBody,
  MagicLinkBody,
  MagicLinkReply,
  SignedInReply,
  SignedOutReply,
  TotpCodeBody,
  TotpReply,
  TotpSetupReply,
  VerifyQuery,
} from '#functions/auth/auth.schema.ts';
import { getSession } from '#functions/auth/get-session.usecase.ts';
import { sendMagicLink } from '#functions/auth/link/send-magic-link.usecase.ts';
import { verifyLink } from '#functions/auth/link/verify-link.usecase.ts';
import { logOut } from '#functions/auth/log-out.usecase.ts';
import { beginWebauthnAuthentication } from '#functions/auth/passkey/begin-webauthn-authentication.usecase.ts';
import { beginWebauthnRegistration } from '#functions/auth/passkey/begin-webauthn-registration.usecase.ts';
import { deleteWebauthnCredential } from '#functions/auth/passkey/delete-webauthn-credential.usecase.ts';
import { finishWebauthnAuthentication } from '#functions/auth/passkey/finish-webauthn-authentication.usecase.ts';
import { finishWebauthnRegistration } from '#functions/auth/passkey/finish-webauthn-registration.usecase.ts';
import { listWebauthnCredentials } from '#functions/auth/passkey/list-webauthn-credentials.usecase.ts';
import {
  AuthenticationBody,
  ByCredentialId,
  CreationOptionsReply,
  PasskeyDeletedReply,
  PasskeyReply,
  PasskeysReply,
  RegistrationBody,
  RegistrationStart,
  RequestOptionsReply,
} from '#functions/auth/passkey/webauthn.schema.ts';
import { disableTotp } from '#functions/auth/totp/disable-totp.usecase.ts';
import { enableTotp } from '#functions/auth/totp/enable-totp.usecase.ts';
import { setUpTotp } from '#functions/auth/totp/setup-totp.usecase.ts';
import { type AnyRoute, del, get, post } from '#shared/http/route.ts';

export const authRoutes: readonly AnyRoute[] = [
  post('/v1/auth/magic-link', {
    access: 'anyone',
    summary: 'Send a sign-in link',
    body: MagicLinkBody,
    reply: MagicLinkReply,
    status: 202,
    run: sendMagicLink,
  }),
  get('/v1/auth/verify', {
    access: 'anyone',
    summary: 'Sign in by a mailed link',
    query: VerifyQuery,
    reply: SignedInReply,
    run: verifyLink,
  }),
  get('/v1/auth/session', { access: 'signed_in', summary: 'Who is signed in', reply: SignedInReply, run: getSession }),
  post('/v1/auth/logout', {
    access: 'signed_in',
    summary: 'Sign out',
    body: LogOutBody,
    bodyOptional: true,
    reply: SignedOutReply,
    run: logOut,
  }),
  post('/v1/auth/2fa/setup', {
    access: 'signed_in',
    summary: 'Set up two-factor authentication',
    reply: TotpSetupReply,
    run: setUpTotp,
  }),
  post('/v1/auth/2fa/enable', {
    access: 'signed_in',
    summary: 'Turn two-factor authentication on',
    body: TotpCodeBody,
    reply: TotpReply,
    run: enableTotp,
  }),
  post('/v1/auth/2fa/disable', {
    access: 'signed_in',
    summary: 'Turn two-factor authentication off',
    body: TotpCodeBody,
    reply: TotpReply,
    run: disableTotp,
  }),
  post('/v1/auth/webauthn/register/begin', {
    access: 'signed_in',
    summary: 'Begin to add a passkey',
    body: RegistrationStart,
    bodyOptional: true,
    reply: CreationOptionsReply,
    run: beginWebauthnRegistration,
  }),
  post('/v1/auth/webauthn/register/finish', {
    access: 'signed_in',
    summary: 'Add a passkey',
    body: RegistrationBody,
    reply: PasskeyReply,
    status: 201,
    run: finishWebauthnRegistration,
  }),
  post('/v1/auth/webauthn/authenticate/begin', {
    access: 'anyone',
    summary: 'Begin to sign in with a passkey',
    reply: RequestOptionsReply,
    run: beginWebauthnAuthentication,
  }),
  post('/v1/auth/webauthn/authenticate/finish', {
    access: 'anyone',
    summary: 'Sign in with a passkey',
    body: AuthenticationBody,
    reply: SignedInReply,
    run: finishWebauthnAuthentication,
  }),
  get('/v1/auth/webauthn/credentials', {
    access: 'signed_in',
    summary: 'List passkeys',
    reply: PasskeysReply,
    run: listWebauthnCredentials,
  }),
  del('/v1/auth/webauthn/credentials/{id}', {
    access: 'signed_in',
    summary: 'Remove a passkey',
    params: ByCredentialId,
    reply: PasskeyDeletedReply,
    run: deleteWebauthnCredential,
  }),
];
