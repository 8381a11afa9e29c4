/** What a button on the page of a mailed link does, with the path of the API that does it. */
export const ACCOUNT_LINK_ACTIONS = {
  undo: 'v1/auth/undo',
  recover: 'v1/auth/recovery',
  'finish-recovery': 'v1/auth/recovery/finish',
  'cancel-recovery': 'v1/auth/recovery/cancel',
} as const;
export type AccountLinkAction = keyof typeof ACCOUNT_LINK_ACTIONS;

export const isAccountLinkAction = (text: string | undefined): text is AccountLinkAction =>
  text !== undefined && Object.hasOwn(ACCOUNT_LINK_ACTIONS, text);

/** The text of one action. `done` appears once it is done. */
type ActionMessages = {
  readonly heading: string;
  readonly text: string;
  readonly button: string;
  readonly done: string;
};

/** All texts of these pages, in one language. Further errors have the texts of the sign-in page. */
export type AccountLinkMessages = {
  readonly title: string;
  readonly needsScript: string;
  readonly incomplete: string;
  readonly signIn: string;
  readonly actions: Readonly<Record<AccountLinkAction, ActionMessages>>;
  /** By the API's error code. */
  readonly errors: Readonly<
    Record<
      | 'invalid_link'
      | 'totp_enabled'
      | 'passkey_limit'
      | 'recovery_waiting'
      | 'recovery_not_needed'
      | 'recovery_not_open',
      string
    >
  >;
};
