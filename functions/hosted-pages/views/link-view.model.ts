import type { Failure, NextAction } from '#shared/domain/payments/payment.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';

/** Why a link takes no payment. `busy`: other customers are paying right now, so it may take one later. */
export type ClosedReason = 'paid' | 'completed' | 'expired' | 'inactive' | 'busy';

/** What is paid, and to whom. Every page of a link shows it. */
export type LinkSummary = {
  readonly id: string;
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
  | { readonly kind: 'declined'; readonly failure: Failure }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'stale' };

/** Slow readers can stop a page from reloading by itself: whether it is stopped, and the URL that toggles that. */
export type AutoRefresh = { readonly paused: boolean; readonly toggleUrl: string };

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
      readonly csrf: string;
      readonly refused: boolean;
      readonly resumed?: boolean;
      readonly refresh?: AutoRefresh;
    }
  /** The provider has not decided. */
  | { readonly kind: 'processing'; readonly link: LinkSummary; readonly refresh?: AutoRefresh }
  | { readonly kind: 'succeeded'; readonly link: LinkSummary; readonly payment_id: string; readonly paid_at: string }
  /** Paid after the link had taken its last payment: it is refunded automatically. */
  | { readonly kind: 'overpaid'; readonly link: LinkSummary }
  /** Failed, and the link takes no other payment. */
  | { readonly kind: 'failed'; readonly link: LinkSummary; readonly failure: Failure | null };

/** The statuses that have an error page of their own. */
export const ERROR_STATUSES = [400, 403, 404, 413, 429, 500] as const;
export type ErrorPage = { readonly status: (typeof ERROR_STATUSES)[number]; readonly retryAfter?: number };

export type Page = { readonly html: string; readonly headers: Readonly<Record<string, string>> };
