/** What a provider knows a customer's card or account by, as text. */
export type Means = { readonly orgId: string; readonly provider: string; readonly token: string };

/** A slot in the budget of a means of payment, for one attempt. */
export type Slot = Means & { readonly attemptId: string; readonly paymentId: string };

/** Held since `at` for an attempt that was not known to have been declined then. */
export type HeldSlot = { readonly attemptId: string; readonly paymentId: string; readonly at: string };

/** No room before `until`, as long as what is held was used. */
export type Exhausted = { readonly until: Date; readonly held: readonly HeldSlot[] };

export interface RetryBudgetPort {
  /** Takes a slot before the attempt is made: once, however often it is asked. Exact, however many ask at once. Undefined: it has one. */
  hold(slot: Slot, at: Date): Promise<Exhausted | undefined>;
  /** When the means of payment may be tried again; undefined: now. What is only held doesn't count. */
  spentUntil(means: Means, at: Date): Promise<Date | undefined>;
  /** The attempt, which began then, was declined: counts once, with room or without. */
  count(means: Means, attempt: { readonly id: string; readonly began: Date }, at: Date): Promise<void>;
  /** The attempt was not declined after all, or never made. */
  release(means: Means, attemptId: string): Promise<void>;
}
