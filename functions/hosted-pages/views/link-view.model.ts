import type { Failure, NextAction } from '#shared/domain/payments/payment.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';

/** Why a link takes no payment (any more). `busy`: others are paying the last of what it takes, so it may later. */
export type ClosedReason = 'paid' | 'completed' | 'expired' | 'inactive' | 'busy';

/** What is paid, and to whom: shown on every page of a link. */
export type LinkFacts = {
  readonly id: string;
  readonly merchant: string;
  readonly amount: number;
  readonly currency: string;
  readonly description: string | null;
  readonly mode: Stage;
  readonly expires_at: string | null;
};

/** `required` where no provider takes the payment without it, `optional` where some do. */
export type Asked = 'required' | 'optional' | 'no';

export type FormField = 'method' | 'country' | 'email';

/** The form that starts a payment: posted to the page's own address as `do=start`, with `csrf` and its fields. */
export type StartForm = {
  readonly csrf: string;
  /** A single method is not asked for. */
  readonly methods: readonly string[];
  readonly country: Asked;
  readonly email: Asked;
  /** What was filled in before, and what is wrong with it. */
  readonly values: Readonly<Partial<Record<FormField, string>>>;
  readonly faults: readonly FormField[];
};

/**
 * A notice above the form: the try before was declined (`failure`) or canceled, the form lost its cookie or was too old
 * (`stale`).
 */
export type Notice =
  | { readonly kind: 'declined'; readonly failure: Failure }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'stale' };

/** A page that reloads by itself can be stopped, for slow readers: whether it is, and the URL that toggles it. */
export type Waiting = { readonly paused: boolean; readonly other: string };

/** One page of a link, as it is rendered. All text in it is untrusted. */
export type LinkView =
  | { readonly kind: 'form'; readonly link: LinkFacts; readonly form: StartForm; readonly notice: Notice | null }
  | { readonly kind: 'closed'; readonly link: LinkFacts; readonly reason: ClosedReason }
  /**
   * The customer has to act: go to the provider's page (GET, or POST with fields), enter something, pay by what is
   * displayed, or approve elsewhere. `resumed`: the customer came back to the link or by the browser's back button. No
   * automatic redirect then, or they could never choose another way to pay.
   */
  | {
      readonly kind: 'action';
      readonly link: LinkFacts;
      readonly action: NextAction;
      readonly csrf: string;
      readonly refused: boolean;
      readonly resumed?: boolean;
      readonly waiting?: Waiting;
    }
  /** The provider has not decided: the page reloads by itself. */
  | { readonly kind: 'processing'; readonly link: LinkFacts; readonly waiting?: Waiting }
  | { readonly kind: 'succeeded'; readonly link: LinkFacts; readonly payment_id: string; readonly paid_at: string }
  /** Paid although the link was used up meanwhile: refunded automatically. */
  | { readonly kind: 'overpaid'; readonly link: LinkFacts }
  /** Failed, and the link takes no further try. */
  | { readonly kind: 'failed'; readonly link: LinkFacts; readonly failure: Failure | null };

/** Pages that know of no link, by the status they are answered with. */
export type TroublePage = { readonly status: 400 | 403 | 404 | 413 | 429 | 500; readonly retryAfter?: number };

export type Page = { readonly html: string; readonly headers: Readonly<Record<string, string>> };
