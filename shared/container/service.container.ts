import { type Clock, startDeadline } from '#shared/kernel/clock.ts';
import type { BusPort } from '#shared/ports/bus.port.ts';
import type { Deps, ServiceConfig } from '#shared/ports/deps.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import type { MailPort } from '#shared/ports/mail.port.ts';
import type { PspTransport } from '#shared/ports/psp.port.ts';
import type { QueuePort } from '#shared/ports/queue.port.ts';
import type { VaultPort } from '#shared/ports/vault.port.ts';
import type { WebhookHttpPort } from '#shared/ports/webhook-http.port.ts';
import { makePspGateway } from '#shared/psp/psp-gateway.adapter.ts';
import { ApiKeyRepo } from '#shared/store/repos/accounts/api-key.repo.ts';
import { MemberRepo } from '#shared/store/repos/accounts/member.repo.ts';
import { OrganizationRepo } from '#shared/store/repos/accounts/organization.repo.ts';
import { OwnerRepo } from '#shared/store/repos/accounts/owner.repo.ts';
import { PasskeyRepo } from '#shared/store/repos/accounts/passkey.repo.ts';
import { PlatformRepo } from '#shared/store/repos/accounts/platform.repo.ts';
import { RateCountRepo } from '#shared/store/repos/accounts/rate-count.repo.ts';
import { RecoveryRepo } from '#shared/store/repos/accounts/recovery.repo.ts';
import { SessionRepo } from '#shared/store/repos/accounts/session.repo.ts';
import { SignInLinkRepo } from '#shared/store/repos/accounts/sign-in-link.repo.ts';
import { UndoLinkRepo } from '#shared/store/repos/accounts/undo-link.repo.ts';
import { UserRepo } from '#shared/store/repos/accounts/user.repo.ts';
import { BillingRepo } from '#shared/store/repos/billing/billing.repo.ts';
import { InvoiceRepo } from '#shared/store/repos/billing/invoice.repo.ts';
import { RetryPolicyRepo } from '#shared/store/repos/billing/retry-policy.repo.ts';
import { SubscriptionRepo } from '#shared/store/repos/billing/subscription.repo.ts';
import { DueRepo, SweepRepo } from '#shared/store/repos/due.repo.ts';
import { PaymentLinkRepo } from '#shared/store/repos/links/payment-link.repo.ts';
import { ClaimRepo } from '#shared/store/repos/payments/claim.repo.ts';
import { PaymentRepo } from '#shared/store/repos/payments/payment.repo.ts';
import { RetryBudgetRepo } from '#shared/store/repos/payments/retry-budget.repo.ts';
import { TotalsRepo } from '#shared/store/repos/reporting/totals.repo.ts';
import { AbTestRepo } from '#shared/store/repos/routing/ab-test.repo.ts';
import { FraudPolicyRepo } from '#shared/store/repos/routing/fraud-policy.repo.ts';
import { RoutingRuleRepo } from '#shared/store/repos/routing/routing-rule.repo.ts';
import { VelocityRepo } from '#shared/store/repos/routing/velocity.repo.ts';
import { EventRepo } from '#shared/store/repos/webhooks/event.repo.ts';
import { WebhookConfigRepo } from '#shared/store/repos/webhooks/webhook-config.repo.ts';
import { ExecutionRepo } from '#shared/store/repos/workflows/execution.repo.ts';
import { WorkflowRepo } from '#shared/store/repos/workflows/workflow.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

/** Time for all PSP calls of one request: the rest of API Gateway's 30 s is for storing and sending the response. */
const PSP_BUDGET_MS = 20_000;

type ServiceParts = {
  readonly table: TablePort;
  readonly queue: QueuePort;
  readonly bus: BusPort;
  readonly vault: VaultPort;
  readonly transport: PspTransport;
  /** Certificates (PEM) of additional authorities for providers, beside the public ones. */
  readonly pspRoots?: () => readonly string[];
  readonly webhookHttp: WebhookHttpPort;
  readonly mail: MailPort;
  readonly clock: Clock;
  readonly log: LogPort;
  readonly config: ServiceConfig;
  /** False lifts all rate limits; requests are still counted and shown. */
  readonly limited: boolean;
  /** Time budget for all PSP calls of one request; shortened in tests. */
  readonly pspBudgetMs?: number;
};

/** The dependencies of every use case, over a host's adapters. */
export function serviceContainer({
  table,
  queue,
  bus,
  vault,
  transport,
  pspRoots = () => [],
  webhookHttp,
  mail,
  clock,
  log,
  config,
  limited,
  pspBudgetMs = PSP_BUDGET_MS,
}: ServiceParts): Deps {
  const organizations = new OrganizationRepo(table);
  return {
    clock,
    log,
    config,
    organizations,
    connections: organizations,
    routingRules: new RoutingRuleRepo(table),
    abTests: new AbTestRepo(table),
    fraudPolicies: new FraudPolicyRepo(table),
    retryPolicies: new RetryPolicyRepo(table),
    velocity: new VelocityRepo(table, config),
    retryBudget: new RetryBudgetRepo(table, config),
    keys: new ApiKeyRepo(table, limited),
    rates: new RateCountRepo(table, config, limited),
    claims: new ClaimRepo(table, config),
    payments: new PaymentRepo(table, clock, config),
    paymentLinks: new PaymentLinkRepo(table, clock),
    subscriptions: new SubscriptionRepo(table),
    invoices: new InvoiceRepo(table),
    billing: new BillingRepo(table, clock),
    workflows: new WorkflowRepo(table),
    executions: new ExecutionRepo(table),
    events: new EventRepo(table),
    webhookConfigs: new WebhookConfigRepo(table),
    owners: new OwnerRepo(table, config),
    users: new UserRepo(table, config),
    members: new MemberRepo(table, config),
    signInLinks: new SignInLinkRepo(table),
    undoLinks: new UndoLinkRepo(table),
    passkeys: new PasskeyRepo(table),
    sessions: new SessionRepo(table, limited),
    platform: new PlatformRepo(table, config),
    recoveries: new RecoveryRepo(table),
    due: new DueRepo(table),
    sweeps: new SweepRepo(table),
    totals: new TotalsRepo(table),
    vault,
    psp: makePspGateway({ transport, vault, clock, rootCertificates: () => [...publicRoots(), ...pspRoots()] }),
    queue,
    bus,
    webhookHttp,
    mail,
    pspDeadline: startDeadline.bind(undefined, pspBudgetMs),
  };
}

/**
 * Imported lazily: reading all 120 certificates takes 9 ms of a cold start, and only one provider's callbacks need
 * them.
 */
const publicRoots = (): readonly string[] => process.getBuiltinModule('node:tls').rootCertificates;
