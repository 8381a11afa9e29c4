import type { RetryPolicy } from '#shared/domain/billing/retry-policy.rules.ts';
import type { RetryPoliciesPort } from '#shared/ports/invoices.port.ts';
import { keys, ranges } from '#shared/store/keys.ts';
import { putWithNonce } from '#shared/store/put-with-nonce.ts';
import { queryAll } from '#shared/store/read-all.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';

/** Retry policies have their own partition: payments do not read them. */
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
    const items = await queryAll(this.#table, { ...ranges.retryPolicies(orgId), limit: 200, consistent: true });
    return items.map(toPolicy);
  }

  async save(before: RetryPolicy | undefined, after: RetryPolicy): Promise<boolean> {
    const item: Item = { ...keys.retryPolicy(after.org_id, after.plan_id), item_type: 'retry_policy', ...after };
    return (await putWithNonce(this.#table, item, before ? { eq: ['version', before.version] } : { absent: 'pk' })).ok;
  }
}

const toPolicy = (item: Item): RetryPolicy => {
  const { org_id, plan_id, delays, max_retries, created_at, updated_at, version } = item as unknown as RetryPolicy;
  return { org_id, plan_id, delays, max_retries, created_at, updated_at, version };
};
