import type { Notes } from '#functions/openapi/word-book.ts';
import { CHALLENGE_LIFETIME } from '#shared/domain/accounts/passkey.model.ts';
import { RECOVERY_WAIT } from '#shared/domain/accounts/recovery.model.ts';
import { PROOF_LIFETIME, SESSION_IDLE_LIMIT } from '#shared/domain/accounts/sign-in.model.ts';
import { HOUR, MINUTE } from '#shared/kernel/clock.ts';

export const SIGN_IN_NOTES = {
  ChangeUndone: {
    this: 'The change that was undone. All sessions of the user have ended.',
    undone: 'What was undone.',
  },
  LogOut: {
    this: "`everywhere` ends all of the user's sessions, not only this one.",
    everywhere: "`true` ends all of the user's sessions.",
  },
  Passkey: {
    this: 'A passkey of the user.',
    name: 'A name for people. Null without one.',
    transports: 'How the browser reaches it, as WebAuthn says.',
    last_used_at: 'When it was last used. Null: never.',
    created_by: 'The user who added it. `null` if that was not recorded.',
  },
  PasskeyAuthentication: {
    this: 'The result of `navigator.credentials.get()`, as its `toJSON()` returns it.',
    'response.authenticatorData': 'In base64url.',
    'response.signature': 'In base64url.',
    'response.userHandle': 'In base64url. May be null.',
  },
  PasskeyCreationOptions: {
    this:
      'For `PublicKeyCredential.parseCreationOptionsFromJSON()`. The challenge works once and expires in ' +
      `${CHALLENGE_LIFETIME / MINUTE} minutes.`,
    rp: 'This service.',
    'rp.id': 'Its domain.',
    'rp.name': 'Its name.',
    user: 'The user.',
    'user.id': 'The id of the user, in base64url.',
    'user.name': 'The address of the user.',
    'user.displayName': 'The name that the browser shows.',
    challenge: 'The challenge, in base64url.',
    pubKeyCredParams: 'The algorithms that are taken.',
    'pubKeyCredParams[].type': 'Always `public-key`.',
    'pubKeyCredParams[].alg': 'The number of the algorithm in COSE.',
    timeout: 'How long the browser may take, in milliseconds.',
    excludeCredentials: "The user's passkeys.",
    'excludeCredentials[].id': 'Its id, in base64url.',
    'excludeCredentials[].type': 'Always `public-key`.',
    'excludeCredentials[].transports': 'How the browser reaches it.',
    authenticatorSelection: 'What the passkey must be able to do.',
    'authenticatorSelection.residentKey': 'Always `required`.',
    'authenticatorSelection.requireResidentKey': 'Always true.',
    'authenticatorSelection.userVerification': 'Always `required`.',
    attestation: 'Always `none`.',
    extensions: 'What the browser shall tell.',
    'extensions.credProps': 'Always true.',
  },
  PasskeyRegistration: {
    this:
      'The result of `navigator.credentials.create()`, as its `toJSON()` returns it, and optionally a name for the ' +
      'passkey.',
    'response.attestationObject': 'In base64url.',
    'response.transports': 'As the browser says it. May be null.',
    name: 'A name for people. May be null.',
  },
  PasskeyRegistrationStart: {
    this:
      '`code` is required if two-factor authentication is on: a code of the authenticator app, or a recovery code. ' +
      'The code is used up.',
    code: 'A code of the authenticator app or a recovery code, where that is on.',
  },
  PasskeyRequestOptions: {
    this:
      'For `PublicKeyCredential.parseRequestOptionsFromJSON()`. The challenge works once and expires in ' +
      `${CHALLENGE_LIFETIME / MINUTE} minutes.`,
    rpId: 'The domain of this service.',
    challenge: 'The challenge, in base64url.',
    timeout: 'How long the browser may take, in milliseconds.',
    allowCredentials: 'Always empty: the user chooses.',
    userVerification: 'Always `required`.',
  },
  Proof: {
    this:
      `For ${PROOF_LIFETIME / MINUTE} minutes the session may make changes that could lock the user out or let ` +
      'somebody else in.',
    method: 'How the user proved it.',
    valid_until: 'Until when it counts.',
  },
  Prove: {
    this:
      'One of three. `code`: of the authenticator app, or a recovery code. `passkey`: a signature for the challenge ' +
      'of `POST /v1/auth/webauthn/authenticate/begin`. `token`: of a sign-in link, for users who have neither a ' +
      'passkey nor two-factor authentication. Each is used up.',
    code: 'A code of the authenticator app.',
    token: 'The token of a mailed link.',
  },
  Recovery: {
    this:
      'A way back for users who have lost the second factor and passkeys. Administrators of the platform approve ' +
      `it; ${RECOVERY_WAIT / HOUR} hours later it can be finished.`,
    status: 'How the request stands.',
    requested_at: 'When the user asked.',
    expires_at: 'When the request expires.',
    usable_from: 'When the waiting time ends. `null` until the recovery is approved.',
  },
  RecoveryToken: {
    this: 'The token of the links in the email about the request.',
  },
  RequestRecovery: {
    this: 'The token of a sign-in link, which is used up. It shows that the mailbox is yours.',
  },
  SignedIn: {
    this:
      'The signed-in user and their organizations. The session ends at `expires_at` at the latest, and earlier ' +
      `after ${SESSION_IDLE_LIMIT / HOUR} hours without a request.`,
    expires_at: 'When the session ends at the latest.',
    stage: 'The stage that answers.',
    user: 'The signed-in user.',
    'user.email': "The user's address.",
    'user.totp_enabled': 'Whether two-factor authentication is on.',
    organizations: "The user's organizations.",
    'organizations[].role': "The user's role there.",
    'organizations[].name': 'The name that customers see.',
    'organizations[].scopes': 'What the role allows in this organization.',
    server_time: 'What counts as now here: a browser’s clock may be wrong.',
  },
  TotpSetup: {
    this:
      'Shown once. Codes are required only after a code of the authenticator app has turned it on. Each recovery ' +
      'code replaces a code of the app once. Spaces, dashes and case do not matter, and digits may be of any script.',
    secret: 'The secret for the authenticator app, in base32.',
    otpauth_url: 'The same as an address, for a QR code.',
    recovery_codes: 'Codes that work once each, for the day the app is lost.',
  },
  UndoChange: {
    this: 'The token of the link in the mail about the change.',
  },
  UserSession: {
    this: 'A session of the user.',
    last_used_at: 'When it was last used.',
    created_at: 'When the user signed in.',
    current: 'Whether it is the session of this request.',
    expires_at: `It ends then at the latest, and earlier after ${SESSION_IDLE_LIMIT / HOUR} hours without a request.`,
    proved_by: 'How its user proved last who they are. `null` if that was not recorded.',
  },
  UserSessionList: {
    this: 'Where the user is signed in, newest first. Sessions that have ended are left out.',
    sessions: 'All sessions, newest first.',
  },
  MagicLink: {
    this: 'Asks for a sign-in link.',
    email: 'The address that gets the mail.',
  },
  MagicLinkSent: {
    this: 'The response is the same for every address.',
    sent: 'Always true.',
    message: 'One sentence for people.',
  },
  SignedOut: {
    this: 'The session has ended.',
    signed_out: 'Always true.',
  },
  TotpCode: {
    this: 'Proves the second factor.',
    code: 'A code of the authenticator app or a recovery code.',
  },
  TotpState: {
    this: 'The state of two-factor authentication.',
    totp_enabled: 'Whether it is on.',
  },
  Passkeys: {
    this: "The user's passkeys.",
    credentials: 'All of them, oldest first.',
  },
  PasskeyDeleted: {
    this: 'The passkey is deleted.',
    deleted: 'Always true.',
  },
  'PasskeyAuthentication, PasskeyRegistration': {
    id: '`id` of the credential, in base64url.',
    rawId: '`rawId` of the credential, in base64url.',
    type: 'Always `public-key`.',
    authenticatorAttachment: 'As the browser says it. May be null.',
    clientExtensionResults: 'As the browser says it.',
    response: 'As the browser says it.',
    'response.clientDataJSON': 'In base64url.',
  },
  'GET /v1/auth/verify': {
    token: 'The token from the link.',
    code: 'A code of the authenticator app or a recovery code, where that is on.',
  },
} as const satisfies Notes;
