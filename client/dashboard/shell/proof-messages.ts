export type ProofMessages = {
  readonly title: string;
  readonly why: string;
  readonly noPasskeys: string;
  readonly usePasskey: string;
  readonly declined: string;
  readonly code: string;
  readonly codeHint: string;
  readonly sendLink: (email: string) => string;
  readonly linkSent: (email: string) => string;
  readonly link: string;
  readonly linkHint: string;
  readonly confirm: string;
};
