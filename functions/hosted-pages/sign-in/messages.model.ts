/** The texts that the script shows, by the API's error code or by what happened. */
export type ScriptMessages = {
  readonly totp_required: string;
  readonly invalid_code: string;
  readonly invalid_link: string;
  readonly invalid_passkey: string;
  readonly invalid_request: string;
  /** `{seconds}` is replaced by the wait. */
  readonly rate_limited: string;
  readonly unreachable: string;
  readonly other: string;
  readonly link_sent: string;
  readonly no_passkey: string;
  readonly signed_in: string;
};

/** All texts of the sign-in page, in one language. */
export type SignInMessages = {
  readonly title: string;
  readonly heading: string;
  /** The address of the account follows. */
  readonly linkOpens: string;
  readonly linkWorksOnce: string;
  readonly code: string;
  readonly signIn: string;
  readonly codeIfApp: string;
  /** Leads to the recovery of the account. */
  readonly lostCodes: string;
  readonly signInWithCode: string;
  readonly anotherWay: string;
  readonly needsScript: string;
  readonly email: string;
  readonly sendLink: string;
  readonly or: string;
  readonly passkey: string;
  readonly incomplete: string;
  readonly tooMany: { readonly heading: string; readonly text: string };
  readonly failed: { readonly heading: string; readonly text: string };
  readonly tryAgain: string;
  readonly script: ScriptMessages;
};
