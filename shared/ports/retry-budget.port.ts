/** Identifies a customer's card or account at a provider, as text. */
export type InstrumentKey = { readonly orgId: string; readonly provider: string; readonly token: string };

/** A slot in an instrument's budget, for one attempt. */
export type Slot = InstrumentKey & { readonly attemptId: string; readonly paymentId: string };

/** Held since `at` for an attempt that has not been declined, as far as was known then. */
export type HeldSlot = { readonly attemptId: string; readonly paymentId: string; readonly at: string };

/** No room before `until`, unless held slots turn out unused. */
export type Exhausted = { readonly until: Date; readonly held: readonly HeldSlot[] };

export interface RetryBudgetPort {
  /**
   * Takes a slot before the attempt, once however often it is asked. Exact under concurrency. Undefined: it has one.
   */
  hold(slot: Slot, at: Date): Promise<Exhausted | undefined>;
  /** When the instrument may be tried again; undefined: now. Held slots don't count. */
  spentUntil(instrument: InstrumentKey, at: Date): Promise<Date | undefined>;
  /** Counts a declined attempt at the time it began, once, with room or without. */
  count(instrument: InstrumentKey, attempt: { readonly id: string; readonly began: Date }, at: Date): Promise<void>;
  /** Frees the slot of an attempt that was not declined, or never made. */
  release(instrument: InstrumentKey, attemptId: string): Promise<void>;
}
