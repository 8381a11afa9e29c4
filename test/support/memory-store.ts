import type { IdempotencyRequest } from '#shared/kernel/operation.ts';
import { ApiKeyRepo } from '#shared/store/repos/accounts/api-key.repo.ts';
import { OrganizationRepo } from '#shared/store/repos/accounts/organization.repo.ts';
import { RateCountRepo } from '#shared/store/repos/accounts/rate-count.repo.ts';
import { DueRepo } from '#shared/store/repos/due.repo.ts';
import { PaymentLinkRepo } from '#shared/store/repos/links/payment-link.repo.ts';
import { ClaimRepo } from '#shared/store/repos/payments/claim.repo.ts';
import { PaymentRepo } from '#shared/store/repos/payments/payment.repo.ts';
import { PaymentMailRepo } from '#shared/store/repos/payments/payment-mail.repo.ts';
import { RefundIndexRepo } from '#shared/store/repos/payments/refund-index.repo.ts';
import { RetryBudgetRepo } from '#shared/store/repos/payments/retry-budget.repo.ts';
import { ReviewRepo } from '#shared/store/repos/payments/review.repo.ts';
import { AbTestRepo } from '#shared/store/repos/routing/ab-test.repo.ts';
import { RoutingRuleRepo } from '#shared/store/repos/routing/routing-rule.repo.ts';
import { VelocityRepo } from '#shared/store/repos/routing/velocity.repo.ts';
import { EventRepo } from '#shared/store/repos/webhooks/event.repo.ts';
import { WorkflowRepo } from '#shared/store/repos/workflows/workflow.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { TableError, type TablePort } from '#shared/store/table/table.port.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { stoppedClock } from '#test/support/stopped-clock.ts';

const CONFIG = { hashSecret: 'a secret for hashes' };

/** The repositories over a table of their own, in memory, with a stopped clock. */
export function memoryStore({ limited = true, through = (table: TablePort) => table } = {}) {
  const table: TablePort = new SqliteTable({ database: openDatabase(':memory:') });
  const clock = stoppedClock();
  const seen = through(table);
  return {
    table,
    clock,
    payments: new PaymentRepo(seen, clock, CONFIG),
    abTests: new AbTestRepo(seen),
    routingRules: new RoutingRuleRepo(seen),
    paymentMails: new PaymentMailRepo(seen, CONFIG),
    refundIndex: new RefundIndexRepo(seen),
    paymentLinks: new PaymentLinkRepo(seen, clock),
    velocity: new VelocityRepo(seen, CONFIG),
    retryBudget: new RetryBudgetRepo(seen, CONFIG),
    reviews: new ReviewRepo(seen, clock),
    claims: new ClaimRepo(seen, CONFIG),
    keys: new ApiKeyRepo(seen, limited),
    rates: new RateCountRepo(seen, CONFIG, limited),
    events: new EventRepo(seen, clock),
    due: new DueRepo(seen),
    workflows: new WorkflowRepo(seen),
    organizations: new OrganizationRepo(seen),
  };
}

export const aTicket = (about: Partial<IdempotencyRequest> = {}): IdempotencyRequest => ({
  orgId: ORG,
  class: 'server',
  key: 'key-1',
  request: 'POST /v1/payments {}',
  credentialId: 'key_1',
  ...about,
});

/** Executes writes, but loses the response to the first ones. */
export function losingResponses(times: number): (table: TablePort) => TablePort {
  let left = times;
  return (table) =>
    changed(table, {
      put: async (item, condition) => {
        const written = await table.put(item, condition);
        left -= 1;
        if (left < 0) return written;
        throw new TableError('unavailable', 'unknown', 'The answer was lost.');
      },
    });
}

/** The same table with some methods replaced. */
export const changed = (table: TablePort, calls: Partial<TablePort>): TablePort => ({
  get: (key, how) => table.get(key, how),
  getMany: (keys) => table.getMany(keys),
  put: (item, condition) => table.put(item, condition),
  update: (key, change, condition) => table.update(key, change, condition),
  delete: (key, condition) => table.delete(key, condition),
  query: (where) => table.query(where),
  entries: (index, where) => table.entries(index, where),
  count: (index, where) => table.count(index, where),
  transact: (writes, token) => table.transact(writes, token),
  ...calls,
});

export const times = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));
