import type { WebhookMode } from '#lib/simulators/frame/behaviour.ts';
import type { ObjectStore, Stored } from '#lib/simulators/frame/object-store.ts';
import type { Script } from '#lib/simulators/frame/scenario-book.ts';
import type { WireAnswer, WireRequest } from '#lib/simulators/frame/wire.ts';
import type { Provider } from '#shared/domain/reference/provider.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';

export type Input = Readonly<Record<string, unknown>>;

/** What a request says of itself, before it is known whether it is a good one. */
type Reading = {
  readonly input: Input;
  readonly key: string | null;
  readonly paymentId: string | null;
  readonly customerId: string | null;
};

export type Call = Reading & {
  readonly request: WireRequest;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly script: Script | null;
};

/** What one call may do to the world. All of it happens, or nothing does. */
export interface Work {
  readonly account: string;
  readonly now: Date;
  readonly objects: ObjectStore;
  /** As the merchant's dashboard has it. */
  readonly accountName: string;
  readonly accountPublicId: string | null;
  /** Who asked, as events show it; null for the customer, or a timer. */
  readonly asked: { readonly requestId: string; readonly key: string | null } | null;
  took(charge: {
    readonly id: string;
    readonly paymentId: string | null;
    readonly amount: number;
    readonly currency: string;
  }): void;
  gaveBack(chargeId: string, amount: number): void;
  /**
   * An event for the account's webhook endpoint, ready to be signed; made only if there is an endpoint. `query`: the
   * end of the merchant's callback URL, at PSPs that are given one with each payment.
   */
  emit(body: () => string, query?: string): void;
  /** How this call's events travel; a hosted payment follows the scenario that its creation met. */
  sendBy(mode: WebhookMode): void;
}

/** `operation` null marks what the customer's browser calls: no credentials, no record, no scenario of its own. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly operation: string | null;
  readonly run: (call: Call, work: Work) => WireAnswer;
};

export type Ending = 'succeeded' | 'failed';

/** How this PSP treats idempotency keys. */
export type IdempotencyPolicy = {
  /** Of what such a request was answered, in milliseconds of the service clock. */
  readonly life: (request: WireRequest) => number;
  readonly fingerprint: (request: WireRequest) => string;
  /** Asked of answers to requests that were not turned away. */
  readonly keeps: (answer: WireAnswer) => boolean;
  /** The answer to a repeat, where that is not the first one's. */
  readonly replayed?: (answer: WireAnswer) => WireAnswer;
  readonly mismatch: (key: string) => WireAnswer;
  readonly inUse: (key: string) => WireAnswer;
};

/**
 * One PSP's wire. The frame does the rest: connections, scenarios, idempotency, records, webhooks and their repeats.
 * A new one is a file `<provider>.simulator.ts`.
 */
export interface ProviderSimulator {
  readonly provider: Provider;
  /** Credentials as this PSP's look, random each time: the simulator takes any. */
  readonly madeUpCredentials: (stage: Stage) => Readonly<Record<string, unknown>>;
  /** The authority (PEM) behind this PSP's own certificates, where its webhooks are signed with one. */
  readonly root?: string;
  readonly routes: readonly Route[];
  /** Missing where the PSP has no idempotency keys: a repeated request is executed again. */
  readonly idempotency?: IdempotencyPolicy;
  /** The account of the credentials, or the refusal. */
  identify(request: WireRequest): { readonly identity: string } | { readonly refusal: WireAnswer };
  /** Finds our payment id where the PSP would show it: in the request, or on the object it is about. */
  read(request: WireRequest, params: Readonly<Record<string, string>>, objects: ObjectStore): Reading;
  readonly refusals: {
    readonly unknownRoute: (request: WireRequest) => WireAnswer;
    readonly tooLarge: () => WireAnswer;
    /** The frame adds when to come again. */
    readonly rateLimited: () => WireAnswer;
    readonly serverError: () => WireAnswer;
  };
  /** Headers that every answer carries. */
  finish(
    answer: WireAnswer,
    call: { readonly request: WireRequest; readonly requestId: string; readonly key: string | null },
  ): WireAnswer;
  /** The same identity from a connection's credentials; undefined where they are not of this PSP's form. */
  settings(
    credentials: Readonly<Record<string, unknown>>,
  ):
    | { readonly identity: string; readonly publicId: string | null; readonly webhookSecrets: readonly string[] }
    | undefined;
  /** The body as it goes out, where a signature lies within it; else it is what was emitted. */
  dressWebhook?(body: string, secrets: readonly string[]): string;
  signWebhook(body: string, secrets: readonly string[], at: Date): Readonly<Record<string, string>>;
  /** `candidates`: the object of that id, or all objects of that payment, oldest first. */
  complete(candidates: readonly Stored[], outcome: Ending, work: Work): void;
  /** What time alone does to an object whose `due` has come. */
  fallDue(object: Stored, work: Work): void;
}
