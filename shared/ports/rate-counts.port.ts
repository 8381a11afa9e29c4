import type { RateClass, RateState } from '#shared/domain/accounts/rate-limits.rules.ts';

/** `exceeded`: a limit is reached, and the request must be refused. */
export type LimitCheck = { readonly exceeded: { readonly retryAfter: number } | undefined };
export type RateCount = LimitCheck & { readonly rate: RateState };

/** `browser`: the id of a browser that has signed in to this email address before. */
export type SignInRequest = {
  readonly email: string;
  readonly address: string;
  readonly browser: string | undefined;
};

/**
 * `credential`: what was sent and may be valid, as far as can be told without the store. `isGuess`: something was sent
 * that is most likely made up.
 */
export type Stranger = {
  readonly address: string;
  readonly credential: string | undefined;
  readonly isGuess?: boolean;
};

/** Limits for requests and actions without a credential that has limits of its own. */
export interface RateCountsPort {
  /** Counts a request by IP address, without a credential or with a public key. */
  countAddress(address: string, rateClass: RateClass, at: Date): Promise<RateCount>;
  /** Counts a request whose credential is missing or not valid, as a read of its address. */
  countStranger(stranger: Stranger, at: Date): Promise<RateCount>;
  /** What this process has answered this stranger since their window was full; undefined if the store has to be asked. */
  refusalOf(stranger: Stranger, at: Date): RateCount | undefined;
  /** Counts a payment started on the page of a payment link, by IP address. */
  countLinkStart(address: string, at: Date): Promise<RateCount>;
  /** Counts a sign-in link by recipient and IP address. If one limit is reached, none counts. */
  countSignIn(request: SignInRequest, at: Date): Promise<LimitCheck>;
  /** Counts a code of this user that is about to be tried. */
  countCode(userId: string, kind: 'totp_code' | 'recovery_code', at: Date): Promise<RateCount>;
  /** Counts an invitation by organization and recipient. If the recipient's limit is reached, neither counts. */
  countInvitation(orgId: string, email: string, at: Date): Promise<LimitCheck>;
  /** Counts the look-up that an unsigned callback causes, by what is looked up. */
  countCallback(subject: string, at: Date): Promise<LimitCheck>;
  /** The state of the windows of `countAddress`, without counting. */
  addressState(address: string, at: Date): Promise<RateState>;
}
