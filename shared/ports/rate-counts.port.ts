import type { RateClass, RateState } from '#shared/domain/accounts/rate-limits.rules.ts';

/** `full`: a rate window is full, and what was asked for is to be refused. */
export type Room = { readonly full: { readonly retryAfter: number } | undefined };
export type Counted = Room & { readonly rate: RateState };

/** Counts what comes without a credential that is counted itself, each by what it comes from or goes to. */
export interface RateCountsPort {
  /** Counts for a source address, alone or with a public key. */
  countAddress(address: string, rateClass: RateClass, at: Date): Promise<Counted>;
  /** Counts a payment start at a payment link's page, by address. */
  countLinkStart(address: string, at: Date): Promise<Counted>;
  /** Counts a sign-in link by recipient and source address; if one of them is full, neither is counted. */
  countSignIn(email: string, address: string, at: Date): Promise<Room>;
  /** Counts a try of an authenticator code for this user. */
  countCode(userId: string, at: Date): Promise<Counted>;
  /**
   * Counts a mailed invitation by organization and recipient; if the recipient's window is full, the organization's is
   * not counted.
   */
  countInvitation(orgId: string, email: string, at: Date): Promise<Room>;
  /** The same windows as `countAddress`, uncounted. */
  showAddress(address: string, at: Date): Promise<RateState>;
}
