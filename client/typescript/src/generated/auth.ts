// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
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

export type VerifyMagicLinkQuery = {
  /** The token from the link. */
  token: string;
  /** A code of the authenticator app or a recovery code, where that is on. */
  code?: string;
};

export type ListSessionsQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
};

export const auth = (call: Call) => ({
  /**
   * Send a sign-in link.
   * `POST /v1/auth/magic-link`: Requires no credential.
   * With examples at `/docs/api/auth#sendMagicLink`.
   * @throws {PayforkError} `bad_origin`, `mail_not_configured`
   */
  sendMagicLink: (input: MagicLink, options?: RequestOptions): ApiPromise<MagicLinkSent> =>
    call.changeOnce('POST', '/v1/auth/magic-link', input, options),

  /**
   * Sign in with a mailed link.
   * `GET /v1/auth/verify`: Requires no credential.
   * With examples at `/docs/api/auth#verifyMagicLink`.
   * @throws {PayforkError} `invalid_link`, `totp_required`, `invalid_code`, `bad_origin`, `write_conflict`
   */
  verifyMagicLink: (input: VerifyMagicLinkQuery, options?: RequestOptions): ApiPromise<SignedIn> =>
    call.getOnce('/v1/auth/verify', input, options),

  /**
   * Get the current session.
   * `GET /v1/auth/session`: For any signed-in user.
   * With examples at `/docs/api/auth#getSession`.
   */
  getSession: (input?: NoInput, options?: RequestOptions): ApiPromise<SignedIn> =>
    call.get('/v1/auth/session', input, options),

  /**
   * List my sessions.
   * `GET /v1/auth/sessions`: For any signed-in user.
   * With examples at `/docs/api/auth#listSessions`.
   */
  listSessions: (input?: ListSessionsQuery, options?: RequestOptions): List<UserSession, UserSessionList> =>
    call.list('/v1/auth/sessions', 'sessions', input, options),

  /**
   * End one of my sessions.
   * `DELETE /v1/auth/sessions/{id}`: For any signed-in user.
   * With examples at `/docs/api/auth#endSession`.
   * @throws {PayforkError} `not_found`
   */
  endSession: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Deleted> =>
    call.changeOnce('DELETE', path`/v1/auth/sessions/${id}`, input, options),

  /**
   * Sign out.
   * `POST /v1/auth/logout`: For any signed-in user.
   * With examples at `/docs/api/auth#endCurrentSession`.
   */
  endCurrentSession: (input?: LogOut, options?: RequestOptions): ApiPromise<SignedOut> =>
    call.changeOnce('POST', '/v1/auth/logout', input, options),

  /**
   * Prove again who you are.
   * `POST /v1/auth/prove`: For any signed-in user.
   * With examples at `/docs/api/auth#proveIdentity`.
   * @throws {PayforkError} `invalid_link`, `invalid_code`, `invalid_passkey`, `fresh_proof_required`,
   * `totp_not_enabled`, `write_conflict`
   */
  proveIdentity: (input: Prove, options?: RequestOptions): ApiPromise<Proof> =>
    call.changeOnce('POST', '/v1/auth/prove', input, options),

  /**
   * Undo a change of how you sign in.
   * `POST /v1/auth/undo`: Requires no credential.
   * With examples at `/docs/api/auth#undoChange`.
   * @throws {PayforkError} `invalid_link`, `bad_origin`, `not_found`, `passkey_limit`, `totp_enabled`,
   * `write_conflict`
   */
  undoChange: (input: UndoChange, options?: RequestOptions): ApiPromise<ChangeUndone> =>
    call.changeOnce('POST', '/v1/auth/undo', input, options),

  /**
   * Request the recovery of an account.
   * `POST /v1/auth/recovery`: Requires no credential.
   * With examples at `/docs/api/auth#requestAccountRecovery`.
   * @throws {PayforkError} `invalid_link`, `bad_origin`, `recovery_not_needed`, `write_conflict`
   */
  requestAccountRecovery: (input: RequestRecovery, options?: RequestOptions): ApiPromise<Recovery> =>
    call.changeOnce('POST', '/v1/auth/recovery', input, options),

  /**
   * Stop the recovery of an account.
   * `POST /v1/auth/recovery/cancel`: Requires no credential.
   * With examples at `/docs/api/auth#cancelAccountRecovery`.
   * @throws {PayforkError} `invalid_link`, `bad_origin`, `recovery_not_open`, `write_conflict`
   */
  cancelAccountRecovery: (input: RecoveryToken, options?: RequestOptions): ApiPromise<Recovery> =>
    call.changeOnce('POST', '/v1/auth/recovery/cancel', input, options),

  /**
   * Finish the recovery of an account.
   * `POST /v1/auth/recovery/finish`: Requires no credential.
   * With examples at `/docs/api/auth#finishAccountRecovery`.
   * @throws {PayforkError} `invalid_link`, `bad_origin`, `not_found`, `recovery_waiting`, `recovery_not_open`,
   * `write_conflict`
   */
  finishAccountRecovery: (input: RecoveryToken, options?: RequestOptions): ApiPromise<Recovery> =>
    call.changeOnce('POST', '/v1/auth/recovery/finish', input, options),

  /**
   * Set up two-factor authentication.
   * `POST /v1/auth/2fa/setup`: For any signed-in user. With a session it needs a proof of identity that is less
   * than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/auth#setUpTotp`.
   * @throws {PayforkError} `fresh_proof_required`, `totp_enabled`, `write_conflict`
   */
  setUpTotp: (input?: NoInput, options?: RequestOptions): ApiPromise<TotpSetup> =>
    call.changeOnce('POST', '/v1/auth/2fa/setup', input, options),

  /**
   * Enable two-factor authentication.
   * `POST /v1/auth/2fa/enable`: For any signed-in user. With a session it needs a proof of identity that is less
   * than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/auth#enableTotp`.
   * @throws {PayforkError} `invalid_code`, `fresh_proof_required`, `totp_enabled`, `totp_not_set_up`,
   * `write_conflict`
   */
  enableTotp: (input: TotpCode, options?: RequestOptions): ApiPromise<TotpState> =>
    call.changeOnce('POST', '/v1/auth/2fa/enable', input, options),

  /**
   * Disable two-factor authentication.
   * `POST /v1/auth/2fa/disable`: For any signed-in user. With a session it needs a proof of identity that is less
   * than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/auth#disableTotp`.
   * @throws {PayforkError} `invalid_code`, `fresh_proof_required`, `totp_not_enabled`, `write_conflict`
   */
  disableTotp: (input: TotpCode, options?: RequestOptions): ApiPromise<TotpState> =>
    call.changeOnce('POST', '/v1/auth/2fa/disable', input, options),

  /**
   * Begin to add a passkey.
   * `POST /v1/auth/webauthn/register/begin`: For any signed-in user. With a session it needs a proof of identity
   * that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/auth#beginWebauthnRegistration`.
   * @throws {PayforkError} `totp_required`, `invalid_code`, `fresh_proof_required`, `passkey_limit`,
   * `write_conflict`
   */
  beginWebauthnRegistration: (
    input?: PasskeyRegistrationStart,
    options?: RequestOptions,
  ): ApiPromise<PasskeyCreationOptions> =>
    call.changeOnce('POST', '/v1/auth/webauthn/register/begin', input, options),

  /**
   * Add a passkey.
   * `POST /v1/auth/webauthn/register/finish`: For any signed-in user. With a session it needs a proof of identity
   * that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/auth#finishWebauthnRegistration`.
   * @throws {PayforkError} `invalid_passkey`, `fresh_proof_required`, `passkey_limit`, `write_conflict`
   */
  finishWebauthnRegistration: (input: PasskeyRegistration, options?: RequestOptions): ApiPromise<Passkey> =>
    call.changeOnce('POST', '/v1/auth/webauthn/register/finish', input, options),

  /**
   * Begin to sign in with a passkey.
   * `POST /v1/auth/webauthn/authenticate/begin`: Requires no credential.
   * With examples at `/docs/api/auth#beginWebauthnAuthentication`.
   * @throws {PayforkError} `bad_origin`
   */
  beginWebauthnAuthentication: (input?: NoInput, options?: RequestOptions): ApiPromise<PasskeyRequestOptions> =>
    call.changeOnce('POST', '/v1/auth/webauthn/authenticate/begin', input, options),

  /**
   * Sign in with a passkey.
   * `POST /v1/auth/webauthn/authenticate/finish`: Requires no credential.
   * With examples at `/docs/api/auth#finishWebauthnAuthentication`.
   * @throws {PayforkError} `invalid_passkey`, `bad_origin`, `write_conflict`
   */
  finishWebauthnAuthentication: (input: PasskeyAuthentication, options?: RequestOptions): ApiPromise<SignedIn> =>
    call.changeOnce('POST', '/v1/auth/webauthn/authenticate/finish', input, options),

  /**
   * List passkeys.
   * `GET /v1/auth/webauthn/credentials`: For any signed-in user.
   * With examples at `/docs/api/auth#listWebauthnCredentials`.
   */
  listWebauthnCredentials: (input?: NoInput, options?: RequestOptions): ApiPromise<Passkeys> =>
    call.get('/v1/auth/webauthn/credentials', input, options),

  /**
   * Remove a passkey.
   * `DELETE /v1/auth/webauthn/credentials/{id}`: For any signed-in user. With a session it needs a proof of
   * identity that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/auth#deleteWebauthnCredential`.
   * @throws {PayforkError} `fresh_proof_required`, `not_found`
   */
  deleteWebauthnCredential: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<PasskeyDeleted> =>
    call.changeOnce('DELETE', path`/v1/auth/webauthn/credentials/${id}`, input, options),
});
