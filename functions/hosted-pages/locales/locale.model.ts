/** A sentence or two under a headline. */
type Said = { readonly heading: string; readonly text: string };

/**
 * Why a payment failed, as far as the customer is told: what the issuer or a check knows beyond that stays with the
 * merchant.
 */
export type FailureFamily =
  | 'declined'
  | 'insufficient_funds'
  | 'limit_exceeded'
  | 'expired_card'
  | 'wrong_details'
  | 'not_authenticated'
  | 'method_refused'
  | 'given_up'
  | 'too_late'
  | 'unavailable'
  | 'not_possible';

/** Methods whose name is not a brand's, which is the same in every language. */
export type MethodKind =
  | 'card'
  | 'wallet'
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

/** What a provider shows the customer to pay by. The last four are addresses to open. */
export type DisplayName =
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

/** Everything that the page of a payment link says, in one language. */
export type Words = {
  readonly payment: string;
  /** The merchant's name follows. */
  readonly paymentTo: string;
  readonly payableUntil: (date: string) => string;
  readonly testMode: string;
  readonly testModeMeans: string;
  /** Before the title of a page that something is wrong with. */
  readonly problem: string;
  readonly optional: string;
  readonly form: {
    readonly method: string;
    readonly country: string;
    readonly chooseCountry: string;
    readonly email: string;
    readonly pay: (sum: string) => string;
    readonly leadsOn: string;
  };
  readonly faults: {
    readonly heading: string;
    readonly method: string;
    readonly country: string;
    readonly email: string;
    readonly input: string;
  };
  readonly notices: { readonly declined: string; readonly canceled: string; readonly stale: string };
  readonly failures: Readonly<Record<FailureFamily, string>>;
  readonly methods: Readonly<Record<MethodKind, string>>;
  readonly going: Said & { readonly on: string };
  readonly resumed: Said;
  readonly collect: {
    readonly otp: Said;
    readonly pin: Said;
    readonly phone: Said;
    readonly birthday: Said;
    readonly address: Said;
    readonly send: string;
  };
  readonly fields: Readonly<
    Record<'otp' | 'pin' | 'phone' | 'birthday' | 'address' | 'city' | 'state' | 'zip_code', string>
  >;
  readonly display: { readonly heading: string; readonly text: (sum: string) => string; readonly check: string };
  readonly displayed: Readonly<Record<DisplayName, string>>;
  readonly unfit: Said;
  readonly approve: Said;
  readonly processing: Said;
  readonly waiting: {
    readonly byItself: (seconds: number) => string;
    readonly paused: string;
    readonly now: string;
    readonly pause: string;
    readonly goOn: string;
  };
  readonly anotherWay: string;
  readonly succeeded: Said & { readonly sum: string; readonly date: string; readonly reference: string };
  readonly overpaid: Said;
  readonly failed: Said;
  readonly closed: Readonly<Record<'paid' | 'completed' | 'expired' | 'inactive' | 'busy', Said>>;
  readonly expiredAt: (date: string) => string;
  readonly trouble: Readonly<Record<400 | 403 | 404 | 413 | 429 | 500, Said>>;
  readonly tryAgain: string;
  /** `when` is such as "in 5 minutes". */
  readonly tryAgainWhen: (when: string) => string;
  readonly thanks: Said;
};
