/** Identifies a customer's card or account at a provider, as text. */
export type InstrumentKey = { readonly orgId: string; readonly provider: string; readonly token: string };

/** A slot in an instrument's budget, for one attempt. */
export type Slot = InstrumentKey & { readonly attemptId: string; readonly paymentId: string };

/** Reserved at `at` for an attempt that has not been declined so far. */
export type ReservedSlot = { readonly attemptId: string; readonly paymentId: string; readonly at: string };

/** No slot before `until`, unless reserved ones turn out unused. */
export type BudgetExhausted = { readonly until: Date; readonly reserved: readonly ReservedSlot[] };

export interface RetryBudgetPort {
  /**
   * Reserves a slot before the attempt; repeats reserve nothing more. Exact under concurrency. Undefined: reserved.
   */
  reserve(slot: Slot, at: Date): Promise<BudgetExhausted | undefined>;
  /** When the instrument may be tried again; undefined: now. Reserved slots do not count. */
  exhaustedUntil(instrument: InstrumentKey, at: Date): Promise<Date | undefined>;
  /** Counts a declined attempt at the time it began, once, even over the limit. */
  countDecline(
    instrument: InstrumentKey,
    attempt: { readonly id: string; readonly began: Date },
    at: Date,
  ): Promise<void>;
  /** Frees the slot of an attempt that was not declined, or not sent. */
  release(instrument: InstrumentKey, attemptId: string): Promise<void>;
}
