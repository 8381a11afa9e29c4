import type { Answer, Body } from '#test/support/host.ts';

export type Act = 'create' | 'intent' | 'confirm' | 'retry' | 'cancel' | 'refund';

/** What is known of one payment of the run, and so what may still become of it. */
export type Tracked = {
  /** Stands in its metadata: how it is known again where no answer named it. */
  readonly order: number;
  readonly amount: number;
  id?: string;
  /** As it was last seen. */
  seen?: Body;
  /** Requests to retry it that were carried out, and such whose answer nobody got. */
  retries: { sure: number; unsure: number };
  /** How often a retry was asked for, and how often until it was last seen. */
  retriesAsked: number;
  retriesSeen: number;
  /** Refunds that were seen succeeded, whatever became of them later. */
  readonly refunded: Set<string>;
  /** A person ended a review: from then on a provider's word may be missing for good. */
  reviewEnded: boolean;
};

/** A request that changes something. Whoever sends it again uses its key again. */
export type Request = {
  readonly act: Act;
  readonly path: string;
  readonly body: Body;
  readonly key: string;
  readonly about: Tracked;
  /** By the service's clock, in milliseconds: a key is good for a day. */
  readonly at: number;
  sent: number;
  /** An earlier sending may have been carried out, whatever this one is answered. */
  troubled: boolean;
  /** The answer that stands; undefined while there was none but of trouble. */
  answer?: Answer;
};

/** All that a run needs to remember of itself. */
export type Model = {
  readonly payments: Tracked[];
  readonly requests: Request[];
  /** Providers tell nobody of some of what happens there. */
  muted: boolean;
  /** Or what they tell may come, or come again, only after a while of real time. */
  belated: boolean;
  /** Calls of the service were made to fail. */
  faulty: boolean;
};

export const newModel = (): Model => ({ payments: [], requests: [], muted: false, belated: false, faulty: false });

export const known = (model: Model): (Tracked & { readonly id: string; readonly seen: Body })[] =>
  model.payments.filter((p): p is Tracked & { id: string; seen: Body } => p.id !== undefined && p.seen !== undefined);

/** The nth, of as many as there are. */
export const nth = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
