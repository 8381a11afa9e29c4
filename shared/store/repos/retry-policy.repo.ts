import type { RetryPolicy } from '#shared/domain/billing/retry-policy.model.ts';
import type { RetryPoliciesPort } from '#shared/ports/retry-policies.port.ts';
import type { Item, TablePort } from '#shared/ports/table.port.ts';
import { allPages } from '#shared/store/all-pages.ts';
import { certainPut } from '#shared/store/certain-put.ts';
import { keys } from '#shared/store/keys.ts';

/** In a partition of their own: payments don't read them. */
export class RetryPolicyRepo implements RetryPoliciesPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async get(orgId: string, planId: string): Promise<RetryPolicy | undefined> {
    const item = await this.#table.get(keys.retryPolicy(orgId, planId), { consistent: true });
    return item && toPolicy(item);
  }

  async list(orgId: string): Promise<readonly RetryPolicy[]> {
    const { pk } = keys.retryPolicy(orgId, '');
    return (await allPages(this.#table, { pk, limit: 200, consistent: true })).map(toPolicy);
  }

  async save(before: RetryPolicy | undefined, after: RetryPolicy): Promise<boolean> {
    const item: Item = { ...keys.retryPolicy(after.org_id, after.plan_id), item_type: 'retry_policy', ...after };
    return (await certainPut(this.#table, item, before ? { eq: ['version', before.version] } : { absent: 'pk' })).ok;
  }
}

const toPolicy = (item: Item): RetryPolicy => {
  const { org_id, plan_id, delays, max_retries, created_at, updated_at, version } = item as unknown as RetryPolicy;
  return { org_id, plan_id, delays, max_retries, created_at, updated_at, version };
};
