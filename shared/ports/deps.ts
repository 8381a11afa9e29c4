import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { HashRotation } from '#shared/kernel/hash-versions.ts';
import type { AbTestsPort } from '#shared/ports/ab-tests.port.ts';
import type { AgentsPort } from '#shared/ports/agents.port.ts';
import type { BusPort } from '#shared/ports/bus.port.ts';
import type { ClaimsPort } from '#shared/ports/claims.port.ts';
import type { ConnectionsPort } from '#shared/ports/connections.port.ts';
import type { DashboardFilesPort } from '#shared/ports/dashboard-files.port.ts';
import type { DisputePollsPort, DisputesPort } from '#shared/ports/disputes.port.ts';
import type { DuePort, SweepsPort } from '#shared/ports/due.port.ts';
import type { ErasuresPort } from '#shared/ports/erasures.port.ts';
import type { EventsPort } from '#shared/ports/events.port.ts';
import type { FailedRequestsPort, FailureLogPort } from '#shared/ports/failed-requests.port.ts';
import type { FraudPoliciesPort, VelocityPort } from '#shared/ports/fraud.port.ts';
import type { BillingPort, InvoicesPort, RetryPoliciesPort } from '#shared/ports/invoices.port.ts';
import type { KeysPort } from '#shared/ports/keys.port.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import type { MailPort } from '#shared/ports/mail.port.ts';
import type { MembersPort } from '#shared/ports/members.port.ts';
import type { OrganizationsPort } from '#shared/ports/organizations.port.ts';
import type { OwnApiPort } from '#shared/ports/own-api.port.ts';
import type { PasskeysPort } from '#shared/ports/passkeys.port.ts';
import type { PaymentLinksPort } from '#shared/ports/payment-links.port.ts';
import type { PaymentMailsPort } from '#shared/ports/payment-mails.port.ts';
import type { PaymentMethodsPort } from '#shared/ports/payment-methods.port.ts';
import type { PaymentsPort } from '#shared/ports/payments.port.ts';
import type { PlatformPort } from '#shared/ports/platform.port.ts';
import type { Deadline } from '#shared/ports/psp.port.ts';
import type { PspGatewayPort } from '#shared/ports/psp-gateway.port.ts';
import type { QueuePort } from '#shared/ports/queue.port.ts';
import type { RateCountsPort } from '#shared/ports/rate-counts.port.ts';
import type { RecoveriesPort } from '#shared/ports/recoveries.port.ts';
import type { ReferenceFilesPort } from '#shared/ports/reference-files.port.ts';
import type { RefundIndexPort } from '#shared/ports/refund-index.port.ts';
import type { RetryBudgetPort } from '#shared/ports/retry-budget.port.ts';
import type { ReviewsPort } from '#shared/ports/reviews.port.ts';
import type { RoutingRulesPort } from '#shared/ports/routing-rules.port.ts';
import type { SelfCheckPort } from '#shared/ports/self-check.port.ts';
import type { SubscriptionsPort } from '#shared/ports/subscriptions.port.ts';
import type { StoredTotalsPort, SubscriptionTotalsPort, TotalsPort } from '#shared/ports/totals.port.ts';
import type {
  OwnersPort,
  SessionsPort,
  SignInLinksPort,
  UndoLinksPort,
  UserSessionsPort,
  UsersPort,
} from '#shared/ports/users.port.ts';
import type { VaultPort } from '#shared/ports/vault.port.ts';
import type { WebhookConfigsPort } from '#shared/ports/webhook-configs.port.ts';
import type { WebhookHttpPort } from '#shared/ports/webhook-http.port.ts';
import type { ExecutionsPort, WorkflowsPort } from '#shared/ports/workflows.port.ts';

/**
 * Secrets of keyed hashes, one for each purpose, so that a function can be allowed one and not another (ADR 7). On AWS,
 * reading one that the function's line in the function table does not name throws.
 */
export type MacSecrets = {
  /** Stored records are found by hashes with it: idempotency keys, users, rate windows. It also tags API keys. */
  readonly hashSecret: string;
  /** Makes the tokens that outsiders hold: client secrets, and tokens in addresses and forms. */
  readonly tokenSecret: string;
  /** Hashes recovery codes. */
  readonly recoverySecret: string;
  /** The other versions of each secret that was replaced, or is going to be. Missing if none ever was. */
  readonly rotations?: HashRotations;
};

export type MacSecretName = 'hashSecret' | 'tokenSecret' | 'recoverySecret';
export type HashRotations = Readonly<Partial<Record<MacSecretName, HashRotation>>>;

/** What repositories need of the settings. They read the secret when they use it: not every function has it. */
export type HashConfig = Pick<MacSecrets, 'hashSecret' | 'rotations'>;

/** What makes and checks tokens that outsiders hold. */
export type TokenConfig = Pick<MacSecrets, 'tokenSecret' | 'rotations'>;

export type ServiceConfig = MacSecrets & {
  readonly stage: Stage;
  /** Which build this is, as `GET /health` says it. */
  readonly version: string;
  /** The public base URL of the API, without a trailing slash: addresses in responses begin with it. */
  readonly apiUrl: string;
  /** Base URL of the callbacks that a provider is told with each charge. Default: `apiUrl`. */
  readonly callbackUrl?: string;
  /** Base URL of the callbacks that organizations register at their providers. Default: `callbackUrl`. */
  readonly registeredCallbackUrl?: string;
  /**
   * Where the API is behind a front: the secrets that its requests bring, one of them while it is being replaced. Without
   * any there is no front.
   */
  readonly originSecrets?: readonly string[];
  /** Whether requests past the front are taken too, while callers move to its name. */
  readonly takesDirectRequests?: boolean;
  /** The other stage's base URL, for the error that a key of the wrong stage gets. */
  readonly otherStageUrl: string;
  /** Base URL of pages in mails: like `apiUrl`, with a host name that browsers treat as secure. */
  readonly pagesUrl: string;
  /** Where a user lands after signing in; undefined for the service's own dashboard. */
  readonly dashboardUrl: string | undefined;
  /** Dashboards' origins: they use sessions, and may read responses. `:*` at the end allows every port. */
  readonly origins: readonly string[];
  /** The relying-party domain of passkeys. */
  readonly passkeyDomain: string;
  /** Whether administrators of the platform must sign in with two factors. Only the demo on one's own computer does not. */
  readonly platformNeedsSecondFactor: boolean;
};

/** The dependencies of all use cases; each names those it uses with `Pick`. */
export type Deps = {
  readonly clock: Clock;
  readonly log: LogPort;
  readonly config: ServiceConfig;
  readonly organizations: OrganizationsPort;
  readonly connections: ConnectionsPort;
  readonly routingRules: RoutingRulesPort;
  readonly abTests: AbTestsPort;
  readonly fraudPolicies: FraudPoliciesPort;
  readonly retryPolicies: RetryPoliciesPort;
  readonly velocity: VelocityPort;
  readonly retryBudget: RetryBudgetPort;
  readonly keys: KeysPort;
  readonly rates: RateCountsPort;
  readonly claims: ClaimsPort;
  /** Loaded at the first request of an agent's key that changes something. */
  readonly agents: () => Promise<AgentsPort>;
  /** Loaded when a request fails. */
  readonly failureLog: () => Promise<FailureLogPort>;
  readonly failedRequests: FailedRequestsPort;
  readonly payments: PaymentsPort;
  readonly reviews: ReviewsPort;
  readonly paymentMails: PaymentMailsPort;
  readonly refundIndex: RefundIndexPort;
  readonly paymentLinks: PaymentLinksPort;
  /** Loaded when it is first used: few payments use or keep a saved method. */
  readonly paymentMethods: () => Promise<PaymentMethodsPort>;
  readonly erasures: ErasuresPort;
  readonly subscriptions: SubscriptionsPort;
  readonly invoices: InvoicesPort;
  readonly billing: BillingPort;
  readonly disputes: DisputesPort;
  readonly disputePolls: DisputePollsPort;
  readonly workflows: WorkflowsPort;
  readonly executions: ExecutionsPort;
  readonly events: EventsPort;
  readonly webhookConfigs: WebhookConfigsPort;
  readonly owners: OwnersPort;
  readonly users: UsersPort;
  readonly members: MembersPort;
  readonly signInLinks: SignInLinksPort;
  readonly undoLinks: UndoLinksPort;
  readonly passkeys: PasskeysPort;
  readonly sessions: SessionsPort;
  readonly userSessions: UserSessionsPort;
  readonly platform: PlatformPort;
  readonly recoveries: RecoveriesPort;
  readonly due: DuePort;
  readonly sweeps: SweepsPort;
  readonly totals: TotalsPort;
  readonly storedTotals: StoredTotalsPort;
  readonly subscriptionTotals: SubscriptionTotalsPort;
  readonly selfCheck: SelfCheckPort;
  readonly ownApi: OwnApiPort;
  readonly vault: VaultPort;
  readonly psp: PspGatewayPort;
  readonly queue: QueuePort;
  readonly bus: BusPort;
  readonly webhookHttp: WebhookHttpPort;
  readonly mail: MailPort;
  readonly dashboardFiles: DashboardFilesPort;
  readonly referenceFiles: ReferenceFilesPort;
  /** A fresh time budget for the PSP calls of one request. */
  readonly pspDeadline: () => Deadline;
};
