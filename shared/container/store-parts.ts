import type { Clock } from '#shared/kernel/clock.ts';
import type { AgentsPort } from '#shared/ports/agents.port.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import type { FailureLogPort } from '#shared/ports/failed-requests.port.ts';
import type { PaymentMethodsPort } from '#shared/ports/payment-methods.port.ts';
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
import { UserSessionRepo } from '#shared/store/repos/accounts/user-session.repo.ts';
import { BillingRepo } from '#shared/store/repos/billing/billing.repo.ts';
import { InvoiceRepo } from '#shared/store/repos/billing/invoice.repo.ts';
import { RetryPolicyRepo } from '#shared/store/repos/billing/retry-policy.repo.ts';
import { SubscriptionRepo } from '#shared/store/repos/billing/subscription.repo.ts';
import { DisputeRepo } from '#shared/store/repos/disputes/dispute.repo.ts';
import { DisputePollRepo } from '#shared/store/repos/disputes/dispute-poll.repo.ts';
import { DueRepo, SweepRepo } from '#shared/store/repos/due.repo.ts';
import { PaymentLinkRepo } from '#shared/store/repos/links/payment-link.repo.ts';
import { ErasureRepo } from '#shared/store/repos/payment-methods/erasure.repo.ts';
import { ClaimRepo } from '#shared/store/repos/payments/claim.repo.ts';
import { PaymentRepo } from '#shared/store/repos/payments/payment.repo.ts';
import { PaymentMailRepo } from '#shared/store/repos/payments/payment-mail.repo.ts';
import { RefundIndexRepo } from '#shared/store/repos/payments/refund-index.repo.ts';
import { RetryBudgetRepo } from '#shared/store/repos/payments/retry-budget.repo.ts';
import { ReviewRepo } from '#shared/store/repos/payments/review.repo.ts';
import { FailedRequestRepo } from '#shared/store/repos/reporting/failed-request.repo.ts';
import { SelfCheckRepo } from '#shared/store/repos/reporting/self-check.repo.ts';
import { StoredTotalsRepo } from '#shared/store/repos/reporting/stored-totals.repo.ts';
import { SubscriptionTotalsRepo } from '#shared/store/repos/reporting/subscription-totals.repo.ts';
import { TotalsRepo } from '#shared/store/repos/reporting/totals.repo.ts';
import { AbTestRepo } from '#shared/store/repos/routing/ab-test.repo.ts';
import { ConnectionRepo } from '#shared/store/repos/routing/connection.repo.ts';
import { FraudPolicyRepo } from '#shared/store/repos/routing/fraud-policy.repo.ts';
import { RoutingRuleRepo } from '#shared/store/repos/routing/routing-rule.repo.ts';
import { VelocityRepo } from '#shared/store/repos/routing/velocity.repo.ts';
import { EventRepo } from '#shared/store/repos/webhooks/event.repo.ts';
import { WebhookConfigRepo } from '#shared/store/repos/webhooks/webhook-config.repo.ts';
import { ExecutionRepo } from '#shared/store/repos/workflows/execution.repo.ts';
import { WorkflowRepo } from '#shared/store/repos/workflows/workflow.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

/** What repositories are made from. */
export type StoreBase = {
  readonly table: TablePort;
  readonly clock: Clock;
  readonly config: HashConfig;
  /** False lifts all rate limits; requests are still counted and shown. */
  readonly limited: boolean;
};

/*
 * Every repository, under its name in `Deps`. A host that has all dependencies makes all of them; a function on AWS
 * imports those that it names, and only these are bundled with it.
 */
export const organizations = ({ table }: StoreBase) => new OrganizationRepo(table);
export const connections = ({ table }: StoreBase) => new ConnectionRepo(table);
export const routingRules = ({ table }: StoreBase) => new RoutingRuleRepo(table);
export const abTests = ({ table }: StoreBase) => new AbTestRepo(table);
export const fraudPolicies = ({ table }: StoreBase) => new FraudPolicyRepo(table);
export const retryPolicies = ({ table }: StoreBase) => new RetryPolicyRepo(table);
export const velocity = ({ table, config }: StoreBase) => new VelocityRepo(table, config);
export const retryBudget = ({ table, config }: StoreBase) => new RetryBudgetRepo(table, config);
export const keys = ({ table, limited }: StoreBase) => new ApiKeyRepo(table, limited);
export const rates = ({ table, config, limited }: StoreBase) => new RateCountRepo(table, config, limited);
export const claims = ({ table, config }: StoreBase) => new ClaimRepo(table, config);
export const payments = ({ table, clock, config }: StoreBase) => new PaymentRepo(table, clock, config);
export const reviews = ({ table, clock }: StoreBase) => new ReviewRepo(table, clock);
export const paymentMails = ({ table, config }: StoreBase) => new PaymentMailRepo(table, config);
export const refundIndex = ({ table }: StoreBase) => new RefundIndexRepo(table);
export const paymentLinks = ({ table, clock }: StoreBase) => new PaymentLinkRepo(table, clock);
export const paymentMethods =
  ({ table, config }: StoreBase) =>
  async (): Promise<PaymentMethodsPort> => {
    const { PaymentMethodRepo } = await import('#shared/store/repos/payment-methods/payment-method.repo.ts');
    return new PaymentMethodRepo(table, config);
  };
export const erasures = ({ table }: StoreBase) => new ErasureRepo(table);
export const subscriptions = ({ table, clock }: StoreBase) => new SubscriptionRepo(table, clock);
export const invoices = ({ table, clock }: StoreBase) => new InvoiceRepo(table, clock);
export const billing = ({ table, clock }: StoreBase) => new BillingRepo(table, clock);
export const disputes = ({ table, clock }: StoreBase) => new DisputeRepo(table, clock);
export const disputePolls = ({ table }: StoreBase) => new DisputePollRepo(table);
export const workflows = ({ table }: StoreBase) => new WorkflowRepo(table);
export const executions = ({ table, clock }: StoreBase) => new ExecutionRepo(table, clock);
export const events = ({ table, clock }: StoreBase) => new EventRepo(table, clock);
export const webhookConfigs = ({ table }: StoreBase) => new WebhookConfigRepo(table);
export const owners = ({ table, config }: StoreBase) => new OwnerRepo(table, config);
export const users = ({ table, config }: StoreBase) => new UserRepo(table, config);
export const members = ({ table, config }: StoreBase) => new MemberRepo(table, config);
export const signInLinks = ({ table }: StoreBase) => new SignInLinkRepo(table);
export const undoLinks = ({ table }: StoreBase) => new UndoLinkRepo(table);
export const passkeys = ({ table }: StoreBase) => new PasskeyRepo(table);
export const sessions = ({ table, limited }: StoreBase) => new SessionRepo(table, limited);
export const userSessions = ({ table }: StoreBase) => new UserSessionRepo(table);
export const platform = ({ table, config }: StoreBase) => new PlatformRepo(table, config);
export const recoveries = ({ table }: StoreBase) => new RecoveryRepo(table);
export const due = ({ table }: StoreBase) => new DueRepo(table);
export const sweeps = ({ table }: StoreBase) => new SweepRepo(table);
export const failedRequests = ({ table }: StoreBase) => new FailedRequestRepo(table);
/** It remembers what it has recorded, so there is one in a process. */
export const failureLog = ({ table }: StoreBase) => {
  let log: Promise<FailureLogPort> | undefined;
  const load = async () =>
    new (await import('#shared/store/repos/reporting/failure-log.repo.ts')).FailureLogRepo(table);
  return (): Promise<FailureLogPort> => (log ??= load());
};
export const agents =
  ({ table }: StoreBase) =>
  async (): Promise<AgentsPort> =>
    new (await import('#shared/store/repos/accounts/agent.repo.ts')).AgentRepo(table);
export const totals = ({ table }: StoreBase) => new TotalsRepo(table);
export const storedTotals = ({ table }: StoreBase) => new StoredTotalsRepo(table);
export const subscriptionTotals = ({ table }: StoreBase) => new SubscriptionTotalsRepo(table);
export const selfCheck = ({ table }: StoreBase) => new SelfCheckRepo(table);
