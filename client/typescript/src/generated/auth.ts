// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  ChangeUndone,
  Deleted,
  LogOut,
  MagicLink,
  MagicLinkSent,
  Passkey,
  PasskeyAuthentication,
  PasskeyCreationOptions,
  PasskeyDeleted,
  PasskeyRegistration,
  PasskeyRegistrationStart,
  PasskeyRequestOptions,
  Passkeys,
  Proof,
  Prove,
  Recovery,
  RecoveryToken,
  RequestRecovery,
  SignedIn,
  SignedOut,
  TotpCode,
  TotpSetup,
  TotpState,
  UndoChange,
  UserSession,
  UserSessionList,
} from './schemas.ts';

export type VerifyLinkQuery = {
  token: string;
  code?: string;
};

export type ListSessionsQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export const auth = (call: Call) => ({
  /**
   * Send a sign-in link.
   * `POST /v1/auth/magic-link`: Requires no credential. Counts among the 100 other writes a minute.
   */
  sendMagicLink: (input: MagicLink, options?: RequestOptions): Promise<MagicLinkSent> =>
    call.changeOnce('POST', '/v1/auth/magic-link', input, options),

  /**
   * Sign in with a mailed link.
   * `GET /v1/auth/verify`: Requires no credential. Counts among the 500 reads a minute.
   */
  verifyLink: (input: VerifyLinkQuery, options?: RequestOptions): Promise<SignedIn> =>
    call.getOnce('/v1/auth/verify', input, options),

  /**
   * Get the current session.
   * `GET /v1/auth/session`: For any signed-in user. Counts among the 500 reads a minute.
   */
  getSession: (input?: NoInput, options?: RequestOptions): Promise<SignedIn> =>
    call.get('/v1/auth/session', input, options),

  /**
   * List my sessions.
   * `GET /v1/auth/sessions`: For any signed-in user. Counts among the 500 reads a minute.
   */
  listSessions: (input?: ListSessionsQuery, options?: RequestOptions): List<UserSession, UserSessionList> =>
    call.list('/v1/auth/sessions', 'sessions', input, options),

  /**
   * End one of my sessions.
   * `DELETE /v1/auth/sessions/{id}`: For any signed-in user. Counts among the 100 other writes a minute.
   */
  endSession: (id: string, input?: NoInput, options?: RequestOptions): Promise<Deleted> =>
    call.changeOnce('DELETE', path`/v1/auth/sessions/${id}`, input, options),

  /**
   * Sign out.
   * `POST /v1/auth/logout`: For any signed-in user. Counts among the 100 other writes a minute.
   */
  logOut: (input?: LogOut, options?: RequestOptions): Promise<SignedOut> =>
    call.changeOnce('POST', '/v1/auth/logout', input, options),

  /**
   * Prove again who you are.
   * `POST /v1/auth/prove`: For any signed-in user. Counts among the 100 other writes a minute.
   */
  proveIdentity: (input: Prove, options?: RequestOptions): Promise<Proof> =>
    call.changeOnce('POST', '/v1/auth/prove', input, options),

  /**
   * Undo a change of how you sign in.
   * `POST /v1/auth/undo`: Requires no credential. Counts among the 100 other writes a minute.
   */
  undoChange: (input: UndoChange, options?: RequestOptions): Promise<ChangeUndone> =>
    call.changeOnce('POST', '/v1/auth/undo', input, options),

  /**
   * Request the recovery of an account.
   * `POST /v1/auth/recovery`: Requires no credential. Counts among the 100 other writes a minute.
   */
  requestRecovery: (input: RequestRecovery, options?: RequestOptions): Promise<Recovery> =>
    call.changeOnce('POST', '/v1/auth/recovery', input, options),

  /**
   * Stop the recovery of an account.
   * `POST /v1/auth/recovery/cancel`: Requires no credential. Counts among the 100 other writes a minute.
   */
  cancelRecovery: (input: RecoveryToken, options?: RequestOptions): Promise<Recovery> =>
    call.changeOnce('POST', '/v1/auth/recovery/cancel', input, options),

  /**
   * Finish the recovery of an account.
   * `POST /v1/auth/recovery/finish`: Requires no credential. Counts among the 100 other writes a minute.
   */
  finishRecovery: (input: RecoveryToken, options?: RequestOptions): Promise<Recovery> =>
    call.changeOnce('POST', '/v1/auth/recovery/finish', input, options),

  /**
   * Set up two-factor authentication.
   * `POST /v1/auth/2fa/setup`: For any signed-in user. Counts among the 100 other writes a minute. With a session
   * it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   */
  setUpTotp: (input?: NoInput, options?: RequestOptions): Promise<TotpSetup> =>
    call.changeOnce('POST', '/v1/auth/2fa/setup', input, options),

  /**
   * Enable two-factor authentication.
   * `POST /v1/auth/2fa/enable`: For any signed-in user. Counts among the 100 other writes a minute. With a session
   * it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   */
  enableTotp: (input: TotpCode, options?: RequestOptions): Promise<TotpState> =>
    call.changeOnce('POST', '/v1/auth/2fa/enable', input, options),

  /**
   * Disable two-factor authentication.
   * `POST /v1/auth/2fa/disable`: For any signed-in user. Counts among the 100 other writes a minute. With a session
   * it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   */
  disableTotp: (input: TotpCode, options?: RequestOptions): Promise<TotpState> =>
    call.changeOnce('POST', '/v1/auth/2fa/disable', input, options),

  /**
   * Begin to add a passkey.
   * `POST /v1/auth/webauthn/register/begin`: For any signed-in user. Counts among the 100 other writes a minute.
   * With a session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST
   * /v1/auth/prove`.
   */
  beginWebauthnRegistration: (
    input?: PasskeyRegistrationStart,
    options?: RequestOptions,
  ): Promise<PasskeyCreationOptions> =>
    call.changeOnce('POST', '/v1/auth/webauthn/register/begin', input, options),

  /**
   * Add a passkey.
   * `POST /v1/auth/webauthn/register/finish`: For any signed-in user. Counts among the 100 other writes a minute.
   * With a session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST
   * /v1/auth/prove`.
   */
  finishWebauthnRegistration: (input: PasskeyRegistration, options?: RequestOptions): Promise<Passkey> =>
    call.changeOnce('POST', '/v1/auth/webauthn/register/finish', input, options),

  /**
   * Begin to sign in with a passkey.
   * `POST /v1/auth/webauthn/authenticate/begin`: Requires no credential. Counts among the 100 other writes a
   * minute.
   */
  beginWebauthnAuthentication: (input?: NoInput, options?: RequestOptions): Promise<PasskeyRequestOptions> =>
    call.changeOnce('POST', '/v1/auth/webauthn/authenticate/begin', input, options),

  /**
   * Sign in with a passkey.
   * `POST /v1/auth/webauthn/authenticate/finish`: Requires no credential. Counts among the 100 other writes a
   * minute.
   */
  finishWebauthnAuthentication: (input: PasskeyAuthentication, options?: RequestOptions): Promise<SignedIn> =>
    call.changeOnce('POST', '/v1/auth/webauthn/authenticate/finish', input, options),

  /**
   * List passkeys.
   * `GET /v1/auth/webauthn/credentials`: For any signed-in user. Counts among the 500 reads a minute.
   */
  listWebauthnCredentials: (input?: NoInput, options?: RequestOptions): Promise<Passkeys> =>
    call.get('/v1/auth/webauthn/credentials', input, options),

  /**
   * Remove a passkey.
   * `DELETE /v1/auth/webauthn/credentials/{id}`: For any signed-in user. Counts among the 100 other writes a
   * minute. With a session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST
   * /v1/auth/prove`.
   */
  deleteWebauthnCredential: (id: string, input?: NoInput, options?: RequestOptions): Promise<PasskeyDeleted> =>
    call.changeOnce('DELETE', path`/v1/auth/webauthn/credentials/${id}`, input, options),
});
