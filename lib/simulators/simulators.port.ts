import type { DisputeReason } from '#shared/domain/disputes/dispute.model.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import type { Clock } from '#shared/kernel/clock.ts';

/** The body of `POST /psp/scenario` on the control server. */
export type Scenario = {
  readonly provider: Provider;
  /** `approve`, `decline:<code>`, `timeout_after_charge`, `raw` … */
  readonly behaviour: string;
  /** The response to send; for `raw` only. */
  readonly raw?: RawResponse;
  readonly webhook?: string;
  readonly times?: number;
  readonly match?: { readonly operation?: string; readonly payment_id?: string; readonly customer_id?: string };
};

/** Any response, sent as it is: an object as JSON, a text unchanged. */
export type RawResponse = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | object;
};

export type SimulatedCall = {
  readonly provider: Provider;
  readonly operation: string;
  readonly payment_id: string | null;
  readonly idempotency_key: string | null;
  /** The status of the response; 0 if the scenario never responds. */
  readonly status: number;
  readonly at: string;
};

/** In minor units. `count` is how many charges took money for this payment: it must never be more than 1. */
export type SimulatedCharge = {
  readonly amount: number;
  readonly refunded: number;
  readonly currency: string;
  readonly count: number;
};

/**
 * Money reserved for charges that are captured later, in minor units. What is neither captured nor released is still
 * reserved. Captured money is also in the charges, with its refunds.
 */
export type SimulatedHold = {
  readonly authorized: number;
  readonly captured: number;
  readonly released: number;
  readonly currency: string;
  /** How many charges reserved money for this payment. */
  readonly count: number;
};

/** In minor units; by default the whole charge. `inquiry`: a question before the dispute, which withholds no money. */
export type DisputeInput = {
  readonly amount?: number;
  readonly reason?: DisputeReason;
  readonly inquiry?: boolean;
  readonly webhook?: string;
};

/**
 * `escalate`: an inquiry becomes a dispute. `reopen`: the bank goes on after a dispute that was won, where the provider
 * knows that. Time that runs out is the clock's matter.
 */
export const DISPUTE_STEPS = ['escalate', 'won', 'lost', 'reopen'] as const;
export type DisputeStep = (typeof DISPUTE_STEPS)[number];

export type DisputeState = 'inquiry' | 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted' | 'expired';

/** A dispute as the provider has it, in minor units. `charge`: the reference of what was disputed. */
export type SimulatedDispute = {
  readonly provider: Provider;
  readonly reference: string;
  readonly payment_id: string | null;
  readonly charge: string | null;
  readonly state: DisputeState;
  readonly amount: number;
  readonly withheld: number;
};

export type SimulatorsOptions = {
  readonly port: number;
  /** A file, or `:memory:`. */
  readonly database: string;
  readonly clock: Clock;
  /** Where webhooks go: `<address>/webhooks/<provider>`. */
  readonly webhookBase: () => string;
  /** Encrypts the secrets in the database file. */
  readonly protect: { readonly seal: (text: string) => string; readonly open: (sealed: string) => string };
  /** The types of events that merchants registered for their webhooks. Providers that are not named send all. */
  readonly registeredEvents?: Readonly<Partial<Record<Provider, readonly string[]>>>;
  /** For tests: when the connection of a call without a response is closed. By default the caller must time out. */
  readonly hangUpAfterMs?: number;
  /** For tests: the delay before the first retry of a webhook. Later delays are multiples of it. */
  readonly webhookBackOffMs?: number;
};

/** The simulated PSPs. They share no code with the adapters: they know their own HTTP API and these controls. */
export interface Simulators {
  readonly base: string;
  /** PEM certificates of the authorities that the simulators use. */
  readonly rootCertificates: readonly string[];
  /**
   * Registers a merchant's account, as set up in a PSP's dashboard: API credentials, webhook secret, and the query of
   * the address for webhooks, without its question mark.
   */
  registerAccount(
    provider: Provider,
    credentials: Readonly<Record<string, unknown>>,
    accountName?: string,
    webhookQuery?: string,
  ): void;
  setScenario(scenario: Scenario): void;
  clearScenarios(): void;
  /** Those that still wait for a call, oldest first; `times` is how often each still applies. */
  scenarios(): readonly Scenario[];
  /** Whether a scenario refuses the connection of this call. Uses the scenario once. */
  refusesConnection(provider: Provider, operation: string, paymentId: string | null): boolean;
  calls(filter: { readonly provider?: string; readonly payment_id?: string }): {
    readonly calls: readonly SimulatedCall[];
    readonly charges: Readonly<Record<string, SimulatedCharge>>;
    /** Missing if nothing was reserved. */
    readonly holds?: Readonly<Record<string, SimulatedHold>>;
    /** What disputes withhold at present, in minor units. Missing if nothing was disputed. */
    readonly withheld?: Readonly<Record<string, number>>;
    /** Missing if nothing was disputed. */
    readonly disputes?: readonly SimulatedDispute[];
  };
  /** Does what the customer does on the hosted page or the phone. False if the reference is unknown. */
  complete(provider: Provider, reference: string, outcome: 'succeeded' | 'failed'): boolean;
  /**
   * Refunds a part of our payment's newest charge as the merchant does in the PSP's dashboard. Returns the status of the
   * PSP's response; undefined if nothing was charged.
   */
  refundInDashboard(provider: Provider, paymentId: string, amount: number): number | undefined;
  /**
   * Captures a part of our payment's newest hold as the merchant does in the PSP's dashboard; `final` gives the rest
   * back. Returns the status of the PSP's response; undefined if nothing is reserved.
   */
  captureInDashboard(provider: Provider, paymentId: string, amount: number, final?: boolean): number | undefined;
  /** Gives back what is reserved for our payment, as the merchant does in the PSP's dashboard. */
  voidInDashboard(provider: Provider, paymentId: string): number | undefined;
  /**
   * Disputes our payment's newest charge, as the customer does at their bank. Returns the dispute's reference;
   * undefined if nothing was charged.
   */
  openDispute(provider: Provider, paymentId: string, dispute?: DisputeInput): string | undefined;
  /** What the bank does with a dispute, and how its webhooks are sent. False if there is no such dispute. */
  moveDispute(provider: Provider, reference: string, step: DisputeStep, webhook?: string): boolean;
  /** Resolves when no due webhook is still being delivered, `late` ones excepted. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

type SimulatorControls = Omit<Simulators, 'base' | 'rootCertificates'>;

/** Simulators that may run on another thread, so that each control answers later. */
export type HostedSimulators = Pick<Simulators, 'base' | 'rootCertificates'> & {
  readonly [K in keyof SimulatorControls]: (
    ...args: Parameters<Simulators[K]>
  ) => ReturnType<Simulators[K]> | Promise<Awaited<ReturnType<Simulators[K]>>>;
};
