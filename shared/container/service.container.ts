import type { Clock } from '#shared/kernel/clock.ts';
import type { BusPort } from '#shared/ports/bus.port.ts';
import type { Deps, ServiceConfig } from '#shared/ports/deps.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import type { MailPort } from '#shared/ports/mail.port.ts';
import type { PspTransport } from '#shared/ports/psp.port.ts';
import type { QueuePort } from '#shared/ports/queue.port.ts';
import type { ReceiverPort } from '#shared/ports/receiver.port.ts';
import type { TablePort } from '#shared/ports/table.port.ts';
import type { VaultPort } from '#shared/ports/vault.port.ts';
import { makePspGateway } from '#shared/psp/psp-gateway.adapter.ts';
import { pspDeadline } from '#shared/services/payments/psp-deadline.service.ts';
import { AbTestRepo } from '#shared/store/repos/ab-test.repo.ts';
import { ApiKeyRepo } from '#shared/store/repos/api-key.repo.ts';
import { BillingRepo } from '#shared/store/repos/billing.repo.ts';
import { ClaimRepo } from '#shared/store/repos/claim.repo.ts';
import { DueRepo } from '#shared/store/repos/due.repo.ts';
import { EventRepo } from '#shared/store/repos/event.repo.ts';
import { ExecutionRepo } from '#shared/store/repos/execution.repo.ts';
import { FraudPolicyRepo } from '#shared/store/repos/fraud-policy.repo.ts';
import { InvoiceRepo } from '#shared/store/repos/invoice.repo.ts';
import { MemberRepo } from '#shared/store/repos/member.repo.ts';
import { OrganizationRepo } from '#shared/store/repos/organization.repo.ts';
import { OwnerRepo } from '#shared/store/repos/owner.repo.ts';
import { PasskeyRepo } from '#shared/store/repos/passkey.repo.ts';
import { PaymentRepo } from '#shared/store/repos/payment.repo.ts';
import { PaymentLinkRepo } from '#shared/store/repos/payment-link.repo.ts';
import { PlatformRepo } from '#shared/store/repos/platform.repo.ts';
import { RateCountRepo } from '#shared/store/repos/rate-count.repo.ts';
import { ReceiverRepo } from '#shared/store/repos/receiver.repo.ts';
import { RetryBudgetRepo } from '#shared/store/repos/retry-budget.repo.ts';
import { RetryPolicyRepo } from '#shared/store/repos/retry-policy.repo.ts';
import { RoutingRuleRepo } from '#shared/store/repos/routing-rule.repo.ts';
import { SessionRepo } from '#shared/store/repos/session.repo.ts';
import { SignInLinkRepo } from '#shared/store/repos/sign-in-link.repo.ts';
import { SubscriptionRepo } from '#shared/store/repos/subscription.repo.ts';
import { SweepRepo } from '#shared/store/repos/sweep.repo.ts';
import { TotalsRepo } from '#shared/store/repos/totals.repo.ts';
import { UserRepo } from '#shared/store/repos/user.repo.ts';
import { VelocityRepo } from '#shared/store/repos/velocity.repo.ts';
import { WorkflowRepo } from '#shared/store/repos/workflow.repo.ts';

type ServiceParts = {
  readonly table: TablePort;
  readonly queue: QueuePort;
  readonly bus: BusPort;
  readonly vault: VaultPort;
  readonly transport: PspTransport;
  /** Certificates (PEM) of additional authorities for providers, beside the public ones. */
  readonly pspRoots?: () => readonly string[];
  readonly outbound: ReceiverPort;
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
  outbound,
  mail,
  clock,
  log,
  config,
  limited,
  pspBudgetMs,
}: ServiceParts): Deps {
  const { hashSecret } = config;
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
    velocity: new VelocityRepo(table, hashSecret),
    retryBudget: new RetryBudgetRepo(table, hashSecret),
    keys: new ApiKeyRepo(table, limited),
    rates: new RateCountRepo(table, hashSecret, limited),
    claims: new ClaimRepo(table, hashSecret),
    payments: new PaymentRepo(table, clock, hashSecret),
    paymentLinks: new PaymentLinkRepo(table, clock),
    subscriptions: new SubscriptionRepo(table),
    invoices: new InvoiceRepo(table),
    billing: new BillingRepo(table, clock),
    workflows: new WorkflowRepo(table),
    executions: new ExecutionRepo(table),
    events: new EventRepo(table),
    receivers: new ReceiverRepo(table),
    owners: new OwnerRepo(table, hashSecret),
    users: new UserRepo(table, hashSecret),
    members: new MemberRepo(table, hashSecret),
    signInLinks: new SignInLinkRepo(table),
    passkeys: new PasskeyRepo(table),
    sessions: new SessionRepo(table, limited),
    platform: new PlatformRepo(table, hashSecret),
    due: new DueRepo(table),
    sweeps: new SweepRepo(table),
    totals: new TotalsRepo(table),
    vault,
    psp: makePspGateway({ transport, vault, clock, roots: () => [...publicRoots(), ...pspRoots()] }),
    queue,
    bus,
    outbound,
    mail,
    pspDeadline: () => pspDeadline(pspBudgetMs),
  };
}

/**
 * Imported lazily: reading all 120 certificates takes 9 ms of a cold start, and only one provider's callbacks need
 * them.
 */
const publicRoots = (): readonly string[] => process.getBuiltinModule('node:tls').rootCertificates;
