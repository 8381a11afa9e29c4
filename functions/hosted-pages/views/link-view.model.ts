import type { Failure, NextAction } from '#shared/domain/payments/payment.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';

/**
 * Why a link takes no payment. `busy`: other customers are paying right now, so it may take one later. `unavailable`: the
 * seller has no connection that takes it.
 */
export type ClosedReason = 'paid' | 'completed' | 'expired' | 'inactive' | 'busy' | 'unavailable';

/** Who is paid, as far as the organization tells. Customers find it on their statements, or need it for questions. */
export type Seller = {
  readonly legal_name: string | null;
  readonly support_email: string | null;
  readonly support_phone: string | null;
  readonly website_url: string | null;
  readonly logo_url: string | null;
};

/** What is paid, and to whom. Every page of a link, and of a payment without one, shows it. */
export type LinkSummary = {
  readonly id: string;
  readonly seller?: Seller;
  readonly merchant: string;
  readonly amount: number;
  readonly currency: string;
  readonly description: string | null;
  readonly mode: Stage;
  readonly expires_at: string | null;
};

/** `required`: no provider takes the payment without the field. `optional`: some providers do. */
export type FieldPresence = 'required' | 'optional' | 'omitted';

export type FormField = 'method' | 'country' | 'email';

/** The form that starts a payment: posted to the page's own address as `do=start`, with `csrf` and its fields. */
export type StartForm = {
  readonly csrf: string;
  /** A single method is not asked for. */
  readonly methods: readonly string[];
  /** The brands behind the method `wallet`. */
  readonly wallets?: readonly string[] | undefined;
  readonly country: FieldPresence;
  readonly email: FieldPresence;
  /** What the customer entered before, and which of it is invalid. */
  readonly values: Readonly<Partial<Record<FormField, string>>>;
  readonly errors: readonly FormField[];
};

/**
 * A notice above the form. `declined`, `canceled`: the outcome of the previous try. `stale`: the form was too old, or
 * its cookie was missing.
 */
export type Notice =
  | { readonly kind: 'declined'; readonly failure: Failure; readonly method?: string }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'stale' };

/**
 * Slow readers can stop a page from reloading by itself: whether it is stopped, and the URL that toggles that.
 * `reloadUrl`: what is opened instead of the page's own URL.
 */
export type AutoRefresh = { readonly paused: boolean; readonly toggleUrl: string; readonly reloadUrl?: string };

/** What the customer can do after a failure. By default: ask for a new link. */
export type AfterFailure =
  | { readonly kind: 'again'; readonly csrf: string }
  | { readonly kind: 'shop' }
  | { readonly kind: 'invoice' };

/** The data of one page of a link. All text in it is untrusted. */
export type LinkView =
  | { readonly kind: 'form'; readonly link: LinkSummary; readonly form: StartForm; readonly notice: Notice | null }
  | { readonly kind: 'closed'; readonly link: LinkSummary; readonly reason: ClosedReason }
  /**
   * The customer has to act: go to the provider's page (GET, or POST with fields), enter something, pay with displayed
   * details, or approve elsewhere. `resumed`: the customer came back to the link. The page then does not redirect by
   * itself, or the customer could never choose another way to pay.
   */
  | {
      readonly kind: 'action';
      readonly link: LinkSummary;
      readonly action: NextAction;
      /** Null on the page of a payment without a link: there is no other way to pay. */
      readonly csrf: string | null;
      readonly refused: boolean;
      readonly resumed?: boolean;
      readonly refresh?: AutoRefresh;
    }
  /**
   * The customer came back from the provider's page without an outcome: because they stopped, or, `unconfirmed`, before
   * the provider knew that they had paid. `checkUrl` asks the provider again. `csrf`: null where no other method is
   * offered.
   */
  | {
      readonly kind: 'stopped' | 'unconfirmed';
      readonly link: LinkSummary;
      readonly action: Extract<NextAction, { type: 'redirect' }>;
      readonly csrf: string | null;
      readonly checkUrl: string;
    }
  /** The provider has not decided. */
  | { readonly kind: 'processing'; readonly link: LinkSummary; readonly refresh?: AutoRefresh }
  /** `refunded`: the part that was refunded since. */
  | {
      readonly kind: 'succeeded';
      readonly link: LinkSummary;
      readonly payment_id: string;
      readonly paid_at: string;
      readonly refunded?: number;
    }
  | { readonly kind: 'refunded'; readonly link: LinkSummary; readonly payment_id: string }
  /** A person of the organization has to decide. */
  | { readonly kind: 'review'; readonly link: LinkSummary }
  /** Canceled, and it came from no link. */
  | { readonly kind: 'canceled'; readonly link: LinkSummary }
  /** The next step is the shop's own page. */
  | { readonly kind: 'unfinished'; readonly link: LinkSummary }
  /** Paid after the link had taken its last payment: it is refunded automatically. */
  | { readonly kind: 'overpaid'; readonly link: LinkSummary }
  /** Failed, and the link takes no other payment, or the payment came from no link. */
  | {
      readonly kind: 'failed';
      readonly link: LinkSummary;
      readonly failure: Failure | null;
      readonly method?: string;
      readonly next?: AfterFailure;
    };

/** The statuses that have an error page of their own. */
export const ERROR_STATUSES = [400, 403, 404, 413, 429, 500] as const;
export type ErrorPage = { readonly status: (typeof ERROR_STATUSES)[number]; readonly retryAfter?: number };

export type Page = { readonly html: string; readonly headers: Readonly<Record<string, string>> };
