import type { ActiveScenario, WebhookMode } from '#lib/simulators/kit/behaviour.ts';
import type { ObjectStore, StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { WireRequest, WireResponse } from '#lib/simulators/kit/wire.ts';
import type { DisputeInput, DisputeStep, SimulatedDispute } from '#lib/simulators/simulators.port.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

export type Input = Readonly<Record<string, unknown>>;

/** What is read from a request before it is validated. `key`: the idempotency key. */
type RequestFacts = {
  readonly input: Input;
  readonly key: string | null;
  readonly paymentId: string | null;
  readonly customerId: string | null;
};

export type Call = RequestFacts & {
  readonly request: WireRequest;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly scenario: ActiveScenario | null;
};

/** What one call reads and writes, in one transaction: all of it happens, or nothing does. */
export interface UnitOfWork {
  readonly account: string;
  readonly now: Date;
  readonly objects: ObjectStore;
  /** As set in the merchant's dashboard. */
  readonly accountName: string;
  readonly accountPublicId: string | null;
  /** The API request that caused this, as events show it; null for the customer's browser or a timer. */
  readonly apiRequest: { readonly requestId: string; readonly key: string | null } | null;
  /** Records that money was taken, in ISO minor units. */
  recordCharge(charge: {
    readonly id: string;
    readonly paymentId: string | null;
    readonly amount: number;
    readonly currency: string;
  }): void;
  /** Records that money was reserved, and not taken: a charge that is captured later. In ISO minor units. */
  recordHold(hold: Parameters<UnitOfWork['recordCharge']>[0]): void;
  /**
   * Takes reserved money; negative if a capture failed after it had succeeded. `id`: the capture's own, where refunds
   * name that in place of the hold.
   */
  recordCapture(capture: { readonly hold: string; readonly amount: number; readonly id?: string }): void;
  /** Gives back what is reserved and not captured. */
  recordRelease(hold: string): void;
  /** Whether reserved money was given back. It is not reserved again, also if the customer is said to have paid. */
  wasReleased(hold: string): boolean;
  /** Records refunded money; negative if a refund failed after it had succeeded. */
  recordRefund(chargeId: string, amount: number): void;
  /** Records what a dispute withholds from the merchant at present; 0 once the money is back. In ISO minor units. */
  recordDispute(dispute: { readonly id: string; readonly paymentId: string | null; readonly withheld: number }): void;
  /**
   * Queues an event for the account's webhook endpoint. The body is built only if there is an endpoint. `query` is
   * appended to the webhook URL, for PSPs that get a URL with each payment.
   */
  emit(body: () => string, query?: string): void;
  /** How this call's webhooks are delivered. A hosted payment uses the mode set when it was created. */
  setWebhookMode(mode: WebhookMode): void;
}

/** `operation` is null for pages in the customer's browser: no credentials, no recorded call, no scenario. */
export type Route = {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly operation: string | null;
  readonly run: (call: Call, work: UnitOfWork) => WireResponse;
};

export type FinalOutcome = 'succeeded' | 'failed';

/** A dispute of a charge. `amount` is in ISO minor units, `reason` one of ours. An inquiry withholds no money. */
export type NewDispute = Required<Omit<DisputeInput, 'webhook'>>;

/** How disputes come and go at this PSP. Their objects are of the kind `dispute`. */
export type DisputeControls = {
  /** The customer disputes the charge. Returns the dispute's id; undefined where the PSP has no such dispute. */
  readonly open: (charge: StoredObject, dispute: NewDispute, work: UnitOfWork) => string | undefined;
  /** The bank decides, or makes an inquiry a dispute. A step that the dispute's state does not allow does nothing. */
  readonly move: (dispute: StoredObject, step: DisputeStep, work: UnitOfWork) => void;
  readonly describe: (dispute: StoredObject) => Pick<SimulatedDispute, 'state' | 'amount' | 'charge'>;
};

/** How this PSP treats idempotency keys. */
export type IdempotencyPolicy = {
  /** How long the response to such a request is stored, on the service clock. */
  readonly ttlMs: (request: WireRequest) => number;
  readonly fingerprint: (request: WireRequest) => string;
  /** Whether this response is stored. Rejected requests are never stored. */
  readonly stores: (response: WireResponse) => boolean;
  /** The response to a repeated request, where it differs from the first one. */
  readonly replayed?: (response: WireResponse) => WireResponse;
  /** The response where the key was used for another request. */
  readonly mismatch: (key: string) => WireResponse;
  /** The response while the first request with this key still runs. */
  readonly inUse: (key: string) => WireResponse;
};

/**
 * The HTTP API of one PSP. The kit does the rest: connections, scenarios, idempotency, recorded calls, webhooks and
 * their retries. A new one is a folder `<provider>` with a `server.ts`.
 */
export interface ProviderSimulator {
  readonly provider: Provider;
  /** Random credentials in this PSP's format. The simulator accepts any of that format. */
  readonly randomCredentials: (stage: Stage) => Readonly<Record<string, unknown>>;
  /** PEM of the authority behind the certificate that signs this PSP's webhooks, if it uses one. */
  readonly rootCertificate?: string;
  readonly routes: readonly Route[];
  /** Missing if the PSP has no idempotency keys: a repeated request is executed again. */
  readonly idempotency?: IdempotencyPolicy;
  /** The identity behind the credentials, or the error response. */
  identify(request: WireRequest): { readonly identity: string } | { readonly error: WireResponse };
  /** Finds our payment id in the request, or on the object that the request is about. */
  readRequest(request: WireRequest, params: Readonly<Record<string, string>>, objects: ObjectStore): RequestFacts;
  readonly errors: {
    readonly unknownRoute: (request: WireRequest) => WireResponse;
    readonly tooLarge: () => WireResponse;
    /** The kit adds `Retry-After`. */
    readonly rateLimited: () => WireResponse;
    readonly serverError: () => WireResponse;
  };
  /** Adds the headers that every response has. */
  finishResponse(
    response: WireResponse,
    call: { readonly request: WireRequest; readonly requestId: string; readonly key: string | null },
  ): WireResponse;
  /** The account of a connection's credentials, with the same identity; undefined if they have another format. */
  accountOf(
    credentials: Readonly<Record<string, unknown>>,
  ):
    | { readonly identity: string; readonly publicId: string | null; readonly webhookSecrets: readonly string[] }
    | undefined;
  /** The type of an event, by which merchants register for it. Missing if they cannot choose. */
  eventTypeOf?(body: string): string;
  /** Adds the signature to the body, for PSPs that put it there. */
  signWebhookBody?(body: string, secrets: readonly string[]): string;
  webhookHeaders(body: string, secrets: readonly string[], at: Date): Readonly<Record<string, string>>;
  /**
   * The customer, or the bank, ends a payment or refund. `candidates` is one object by its id, or all objects of one
   * payment, oldest first.
   */
  complete(candidates: readonly StoredObject[], outcome: FinalOutcome, work: UnitOfWork): void;
  readonly disputes?: DisputeControls;
  /** What happens to an object when its `due` time has come. */
  onDue(object: StoredObject, work: UnitOfWork): void;
}
