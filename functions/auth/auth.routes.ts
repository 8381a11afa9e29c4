import {
  RecoveryReply,
  RecoveryTokenBody,
  RequestRecoveryBody,
  UndoBody,
  UndoneReply,
} from '#functions/auth/account-links.schema.ts';
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
import { sendMagicLink, verifyLink } from '#functions/auth/magic-link.usecase.ts';
import { beginWebauthnAuthentication, finishWebauthnAuthentication } from '#functions/auth/passkey-sign-in.usecase.ts';
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
} from '#functions/auth/passkeys.schema.ts';
import { deleteWebauthnCredential, listWebauthnCredentials } from '#functions/auth/passkeys.usecase.ts';
import { ProofReply, ProveBody } from '#functions/auth/prove.schema.ts';
import { proveIdentity } from '#functions/auth/prove.usecase.ts';
import { cancelRecovery, finishRecovery, requestRecovery } from '#functions/auth/recovery.usecase.ts';
import { beginWebauthnRegistration, finishWebauthnRegistration } from '#functions/auth/register-passkey.usecase.ts';
import { getSession, logOut } from '#functions/auth/session.usecase.ts';
import { clearedCookie, sessionCookie, signInCookies } from '#functions/auth/session-response.ts';
import { ListSessionsQuery, ListSessionsReply, SessionById } from '#functions/auth/sessions.schema.ts';
import { endSession, listSessions } from '#functions/auth/sessions.usecase.ts';
import { disableTotp, enableTotp, setUpTotp } from '#functions/auth/totp.usecase.ts';
import { undoChange } from '#functions/auth/undo-change.usecase.ts';
import { del, get, list, post } from '#shared/http/route.ts';
import { DeletedReply } from '#shared/http/schema/common.schema.ts';

export const authRoutes = [
  post('/v1/auth/magic-link', {
    access: 'anyone',
    summary: 'Send a sign-in link',
    body: MagicLinkBody,
    reply: MagicLinkReply,
    status: 202,
    errors: ['mail_not_configured'],
    run: sendMagicLink,
  }),
  get('/v1/auth/verify', {
    access: 'anyone',
    summary: 'Sign in with a mailed link',
    query: VerifyQuery,
    reply: SignedInReply,
    errors: ['invalid_link', 'totp_required', 'invalid_code', 'write_conflict'],
    cookies: signInCookies,
    usesUp: true,
    operationId: 'verifyMagicLink',
    run: verifyLink,
  }),
  get('/v1/auth/session', {
    access: 'signed_in',
    summary: 'Get the current session',
    reply: SignedInReply,
    run: getSession,
  }),
  list('/v1/auth/sessions', {
    access: 'signed_in',
    summary: 'List my sessions',
    query: ListSessionsQuery,
    reply: ListSessionsReply,
    items: 'sessions',
    run: listSessions,
  }),
  del('/v1/auth/sessions/{id}', {
    access: 'signed_in',
    summary: 'End one of my sessions',
    params: SessionById,
    reply: DeletedReply,
    run: endSession,
  }),
  post('/v1/auth/logout', {
    access: 'signed_in',
    summary: 'Sign out',
    body: LogOutBody,
    bodyOptional: true,
    reply: SignedOutReply,
    cookies: () => [clearedCookie],
    operationId: 'endCurrentSession',
    run: logOut,
  }),
  post('/v1/auth/prove', {
    access: 'signed_in',
    summary: 'Prove again who you are',
    body: ProveBody,
    reply: ProofReply,
    errors: [
      'totp_not_enabled',
      'invalid_code',
      'invalid_passkey',
      'invalid_link',
      'fresh_proof_required',
      'write_conflict',
    ],
    run: proveIdentity,
  }),
  post('/v1/auth/undo', {
    access: 'anyone',
    summary: 'Undo a change of how you sign in',
    body: UndoBody,
    reply: UndoneReply,
    errors: ['invalid_link', 'not_found', 'totp_enabled', 'passkey_limit', 'write_conflict'],
    run: undoChange,
  }),
  post('/v1/auth/recovery', {
    access: 'anyone',
    summary: 'Request the recovery of an account',
    body: RequestRecoveryBody,
    reply: RecoveryReply,
    status: 202,
    errors: ['invalid_link', 'recovery_not_needed', 'write_conflict'],
    operationId: 'requestAccountRecovery',
    run: requestRecovery,
  }),
  post('/v1/auth/recovery/cancel', {
    access: 'anyone',
    summary: 'Stop the recovery of an account',
    body: RecoveryTokenBody,
    reply: RecoveryReply,
    errors: ['invalid_link', 'recovery_not_open', 'write_conflict'],
    operationId: 'cancelAccountRecovery',
    run: cancelRecovery,
  }),
  post('/v1/auth/recovery/finish', {
    access: 'anyone',
    summary: 'Finish the recovery of an account',
    body: RecoveryTokenBody,
    reply: RecoveryReply,
    errors: ['invalid_link', 'not_found', 'recovery_waiting', 'recovery_not_open', 'write_conflict'],
    operationId: 'finishAccountRecovery',
    run: finishRecovery,
  }),
  post('/v1/auth/2fa/setup', {
    access: 'signed_in',
    proof: 'fresh',
    summary: 'Set up two-factor authentication',
    reply: TotpSetupReply,
    errors: ['totp_enabled', 'write_conflict'],
    run: setUpTotp,
  }),
  post('/v1/auth/2fa/enable', {
    access: 'signed_in',
    proof: 'fresh',
    summary: 'Enable two-factor authentication',
    body: TotpCodeBody,
    reply: TotpReply,
    errors: ['totp_not_set_up', 'totp_enabled', 'invalid_code', 'write_conflict'],
    cookies: ({ cookie }) => [sessionCookie(cookie)],
    run: enableTotp,
  }),
  post('/v1/auth/2fa/disable', {
    access: 'signed_in',
    proof: 'fresh',
    summary: 'Disable two-factor authentication',
    body: TotpCodeBody,
    reply: TotpReply,
    errors: ['totp_not_enabled', 'invalid_code', 'write_conflict'],
    run: disableTotp,
  }),
  post('/v1/auth/webauthn/register/begin', {
    access: 'signed_in',
    proof: 'fresh',
    summary: 'Begin to add a passkey',
    body: RegistrationStart,
    bodyOptional: true,
    reply: CreationOptionsReply,
    errors: ['totp_required', 'invalid_code', 'passkey_limit', 'write_conflict'],
    run: beginWebauthnRegistration,
  }),
  post('/v1/auth/webauthn/register/finish', {
    access: 'signed_in',
    proof: 'fresh',
    summary: 'Add a passkey',
    body: RegistrationBody,
    reply: PasskeyReply,
    status: 201,
    errors: ['invalid_passkey', 'passkey_limit', 'write_conflict'],
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
    errors: ['invalid_passkey', 'write_conflict'],
    cookies: signInCookies,
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
    proof: 'fresh',
    summary: 'Remove a passkey',
    params: ByCredentialId,
    reply: PasskeyDeletedReply,
    run: deleteWebauthnCredential,
  }),
];
