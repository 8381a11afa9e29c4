import type { Provider } from '#shared/domain/routing/connection.model.ts';
import type { ApiResponse, Body } from '#test/support/host.ts';

export type Act = 'create' | 'intent' | 'confirm' | 'retry' | 'cancel' | 'capture' | 'refund' | 'accept' | 'evidence';

/** What is known of one payment of the run, and so what can still happen to it. */
export type Tracked = {
  /** Stored in its metadata, so that it is recognized even if no response named it. */
  readonly order: number;
  readonly amount: number;
  id?: string;
  /** As it was last read. */
  seen?: Body;
  /** Retry requests that were executed, and those without a response. */
  retries: { sure: number; unsure: number };
  /** The number of requested retries, and the number until it was last read. */
  retriesAsked: number;
  retriesSeen: number;
  /** Refunds that were seen as succeeded, whatever happened to them later. */
  readonly refunded: Set<string>;
  /** A review was ended: from then on a verdict of the provider may be missing for good. */
  reviewEnded: boolean;
};

/** A request that changes something. A repeat uses the same key. */
export type Request = {
  readonly act: Act;
  readonly path: string;
  readonly body: Body;
  readonly key: string;
  readonly about: Tracked;
  /** By the service's clock, in milliseconds: a key is valid for a day. */
  readonly at: number;
  sent: number;
  /** Of a cancel: the payment was in review when it was sent. */
  endsReview?: boolean;
  /** An earlier request may have been executed, whatever the response to this one. */
  troubled: boolean;
  /** The final response; undefined while all responses were transient errors. */
  answer?: ApiResponse;
};

/** A dispute that a customer opened at a provider. */
export type OpenedDispute = {
  readonly provider: Provider;
  readonly reference: string;
  readonly about: Tracked;
  /** A callback of it was sent. Without one nobody may hear of it. */
  isTold: boolean;
};

/** Everything that a run has to remember. */
export type Model = {
  readonly payments: Tracked[];
  readonly requests: Request[];
  readonly disputes: OpenedDispute[];
  /** Providers send no callback for some changes. */
  muted: boolean;
  /** Or their callbacks arrive or are repeated only after some real time. */
  belated: boolean;
  /** Calls of the service were made to fail. */
  faulty: boolean;
};

export const newModel = (): Model => ({
  payments: [],
  requests: [],
  disputes: [],
  muted: false,
  belated: false,
  faulty: false,
});

export const known = (model: Model): (Tracked & { readonly id: string; readonly seen: Body })[] =>
  model.payments.filter((p): p is Tracked & { id: string; seen: Body } => p.id !== undefined && p.seen !== undefined);

/** The nth, modulo the number of items. */
export const nth = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
