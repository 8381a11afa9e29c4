import type { Connection, Provider } from '#shared/domain/routing/connection.model.ts';
import type { Secret } from '#shared/kernel/secret.ts';
import type { CaptureOrder, CaptureOutcome, PspAuthorization } from '#shared/ports/capture.port.ts';
import type { PspDisputes } from '#shared/ports/dispute.port.ts';
import type {
  CallbackProof,
  ChargeOfEvent,
  ChargeOrder,
  ChargeRef,
  ChargeWithRefunds,
  Deadline,
  InboundCallback,
  PspAdapter,
  PspContext,
  PspFacts,
  PspOutcome,
  PspPing,
  PspRefund,
  PspTransaction,
  RefundOrder,
  RefundOutcome,
  RefundRef,
  TransactionPage,
  TransactionQuery,
  UnverifiedEvent,
} from '#shared/ports/psp.port.ts';

/** Uses the calls that a PSP has about disputes. */
export type DisputeCall<T> = (calls: PspDisputes, psp: PspContext<unknown>) => Promise<T>;

/** An opened connection: its PSP with its credentials. Outcomes and errors are the adapter's. */
export interface PspSession {
  readonly adapter: PspFacts;
  /** What the merchant should change in the credentials. */
  warnings(): readonly string[];
  create(order: ChargeOrder): Promise<PspOutcome>;
  confirm(reference: string, order: ChargeOrder, input: Readonly<Record<string, unknown>>): Promise<PspOutcome>;
  cancel(charge: ChargeRef): Promise<PspOutcome>;
  refund(order: RefundOrder): Promise<RefundOutcome>;
  fetch(charge: ChargeRef): Promise<PspOutcome>;
  find(order: ChargeOrder): Promise<PspOutcome | undefined>;
  /** Without `refunds` at a PSP that needs a call of its own to list them. */
  fetchWithRefunds(charge: ChargeRef): Promise<ChargeWithRefunds>;
  fetchRefund(refund: RefundRef): Promise<PspRefund>;
  /** Empty at a PSP that lists no refunds. */
  listRefunds(charge: ChargeRef): Promise<readonly PspRefund[]>;
  capture(order: CaptureOrder): Promise<CaptureOutcome>;
  /** Undefined at a PSP without such a look-up: its callbacks tell. */
  fetchAuthorization(charge: ChargeRef): Promise<PspAuthorization | undefined>;
  /** See `PspAdapter.chargeIds`. `unknown` at a PSP without a look-up. */
  chargeIds(charge: ChargeOfEvent): Promise<PspTransaction['ids'] | undefined | 'unknown'>;
  /** Runs a call of the PSP's disputes, which a PSP without disputes has none of. */
  disputes<T>(call: DisputeCall<T>): Promise<T>;
  /** Undefined at a PSP that has no such list. */
  listTransactions(query: TransactionQuery): Promise<TransactionPage | undefined>;
  ping(): Promise<PspPing>;
  verifyCallback(callback: InboundCallback, proof?: CallbackProof): Promise<boolean>;
  /** Whether nothing signs the body of this verified callback. */
  isUnsigned(callback: InboundCallback): boolean;
}

export interface PspGatewayPort {
  adapter(provider: Provider): PspFacts | undefined;
  /** Validates credentials as their provider's adapter does. */
  parseCredentials(provider: Provider, credentials: unknown): Promise<ReturnType<PspAdapter['parseCredentials']>>;
  /** Of all providers, by their usual capabilities. */
  methods(): readonly string[];
  /** Opens the connection's credentials; the PSP calls of one request share a deadline. */
  open(connection: Connection, deadline: Deadline): Promise<PspSession>;
  /** For credentials that are not stored: a connection being tested. */
  openWith(provider: Provider, credentials: Secret<string>, deadline: Deadline): Promise<PspSession>;
  parseCallback(provider: Provider, callback: InboundCallback): Promise<readonly UnverifiedEvent[]>;
}
