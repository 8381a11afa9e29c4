/** A headline with a sentence or two under it. */
type Panel = { readonly heading: string; readonly text: string };

/** Why a payment failed, as far as customers may know. What the issuer or a fraud check says beyond that is private. */
export type FailureReason =
  | 'declined'
  | 'insufficient_funds'
  | 'limit_exceeded'
  | 'expired_card'
  | 'wrong_details'
  | 'not_authenticated'
  | 'method_not_accepted'
  | 'not_completed'
  | 'timed_out'
  | 'unavailable'
  | 'not_possible';

/** Reasons whose text for card payments speaks of a card. */
export type CardReason = Extract<
  FailureReason,
  'declined' | 'insufficient_funds' | 'limit_exceeded' | 'expired_card' | 'method_not_accepted'
>;

/** Methods with a translated name. Brand names are the same in every language. */
export type GenericMethod =
  | 'card'
  | 'mobile_money'
  | 'sepa_debit'
  | 'bank_transfer'
  | 'bank'
  | 'netbanking'
  | 'ussd'
  | 'qr'
  | 'eft'
  | 'pay_later'
  | 'cash';

/** Payment details that a provider displays. The last four are URLs to open. */
export type DisplayLabel =
  | 'account_number'
  | 'account_name'
  | 'bank_name'
  | 'bank_code'
  | 'branch_code'
  | 'reference'
  | 'entity'
  | 'number'
  | 'ussd_code'
  | 'code'
  | 'note'
  | 'expires_at'
  | 'instructions'
  | 'voucher'
  | 'qr_image'
  | 'app';

/** All texts of a payment link's page, in one language. */
export type Messages = {
  readonly payment: string;
  /** The merchant's name follows. */
  readonly paymentTo: string;
  readonly payableUntil: (date: string) => string;
  readonly testMode: string;
  readonly testModeNotice: string;
  /** Stands before the title of a page with an error. */
  readonly errorPrefix: string;
  readonly optional: string;
  readonly form: {
    readonly method: string;
    /** Stands before the name of the only method. */
    readonly oneMethod: string;
    readonly country: string;
    readonly chooseCountry: string;
    readonly email: string;
    readonly pay: (amount: string) => string;
    readonly redirectNotice: string;
  };
  readonly fieldErrors: {
    readonly heading: string;
    readonly method: string;
    readonly country: string;
    readonly email: string;
    readonly input: string;
  };
  readonly notices: { readonly declined: string; readonly canceled: string; readonly stale: string };
  readonly failures: Readonly<Record<FailureReason, string>>;
  /** For payments without a card, whose texts must not speak of one. */
  readonly otherFailures: Readonly<Record<CardReason, string>>;
  readonly methods: Readonly<Record<GenericMethod, string>>;
  readonly redirecting: Panel & { readonly continue: string };
  readonly resumed: Panel;
  readonly collect: {
    readonly otp: Panel;
    readonly pin: Panel;
    readonly phone: Panel;
    readonly birthday: Panel;
    readonly address: Panel;
    readonly send: string;
  };
  readonly fields: Readonly<
    Record<'otp' | 'pin' | 'phone' | 'birthday' | 'address' | 'city' | 'state' | 'zip_code', string>
  >;
  readonly display: { readonly heading: string; readonly text: (amount: string) => string; readonly checkNow: string };
  readonly displayLabels: Readonly<Record<DisplayLabel, string>>;
  readonly unsupported: Panel;
  readonly approve: Panel;
  readonly processing: Panel;
  readonly waiting: {
    readonly autoRefresh: (seconds: number) => string;
    readonly paused: string;
    readonly refreshNow: string;
    readonly stopRefresh: string;
    readonly resumeRefresh: string;
  };
  readonly payAnotherWay: string;
  readonly succeeded: Panel & { readonly amount: string; readonly date: string; readonly reference: string };
  readonly overpaid: Panel;
  readonly failed: Panel;
  /** The customer left the provider's page before paying. `here`: where no other method is offered. */
  readonly stopped: Panel & { readonly here: string; readonly ifPaid: string };
  /** The customer came back as if they had paid, and the provider does not know yet. */
  readonly unconfirmed: Panel;
  readonly refunded: Panel & { readonly amount: string };
  readonly review: Panel;
  readonly canceled: Panel;
  /** The next step is the shop's. */
  readonly unfinished: Panel;
  /** What to do after a failed payment that came from no link. */
  readonly afterFailure: { readonly again: string; readonly shop: string; readonly invoice: string };
  readonly seller: { readonly name: string; readonly questions: string; readonly back: string };
  readonly closed: Readonly<Record<'paid' | 'completed' | 'expired' | 'inactive' | 'busy' | 'unavailable', Panel>>;
  readonly expiredOn: (date: string) => string;
  readonly errors: Readonly<Record<400 | 403 | 404 | 413 | 429 | 500, Panel>>;
  readonly tryAgain: string;
  /** `when` is such as "in 5 minutes". */
  readonly tryAgainIn: (when: string) => string;
};
