import type { Provider } from '#shared/domain/reference/provider.model.ts';
import type { Clock } from '#shared/kernel/clock.ts';

/** What `POST /psp/scenario` takes (architecture: the local host's interface). */
export type Scenario = {
  readonly provider: Provider;
  /** `approve`, `decline:<code>`, `timeout_after_charge` … */
  readonly behaviour: string;
  readonly webhook?: string;
  readonly times?: number;
  readonly match?: { readonly operation?: string; readonly payment_id?: string; readonly customer_id?: string };
};

export type SimulatedCall = {
  readonly provider: Provider;
  readonly operation: string;
  readonly payment_id: string | null;
  readonly idempotency_key: string | null;
  /** What we answered; 0 where the scenario never answers. */
  readonly status: number;
  readonly at: string;
};

/** Minor units. `count` is how many charges took money for this payment; more than 1 is what must never be. */
export type SimulatedCharge = {
  readonly amount: number;
  readonly refunded: number;
  readonly currency: string;
  readonly count: number;
};

export type SimulatorsOptions = {
  readonly port: number;
  /** A file, or `:memory:`. */
  readonly database: string;
  readonly clock: Clock;
  /** Where webhooks go: `<address>/webhooks/<provider>`. */
  readonly webhookBase: () => string;
  /** Secrets at rest in the simulators' own file are protected with these. */
  readonly protect: { readonly seal: (text: string) => string; readonly open: (sealed: string) => string };
};

/** The PSPs of this machine. They know nothing of the adapters: only their own wire, and these controls. */
export interface Simulators {
  readonly base: string;
  /** Certificates (PEM) of the simulators' own authorities. */
  readonly roots: readonly string[];
  /** A merchant's account as its dashboard has it: API credentials and the webhook secret they belong with. */
  learnAccount(provider: Provider, credentials: Readonly<Record<string, unknown>>, accountName?: string): void;
  setScenario(scenario: Scenario): void;
  clearScenarios(): void;
  /** For the transport: whether this call finds its connection refused. Uses up one `times` of the scenario. */
  refusesConnection(provider: Provider, operation: string, paymentId: string | null): boolean;
  calls(filter: { readonly provider?: string; readonly payment_id?: string }): {
    readonly calls: readonly SimulatedCall[];
    readonly charges: Readonly<Record<string, SimulatedCharge>>;
  };
  /** What the customer does at the hosted page or on the phone. False where the reference is unknown. */
  complete(provider: Provider, reference: string, outcome: 'succeeded' | 'failed'): boolean;
  /** Resolves when no webhook that is due is still on its way (`late` ones aside). */
  idle(): Promise<void>;
  close(): Promise<void>;
}
