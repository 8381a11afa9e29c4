import type { FraudPolicy } from '#shared/domain/routing/fraud-policy.model.ts';
import type { FraudPoliciesPort } from '#shared/ports/fraud.port.ts';
import { keys } from '#shared/store/keys.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';

/** One item per organization, in the partition that routing reads. */
export class FraudPolicyRepo implements FraudPoliciesPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async get(orgId: string): Promise<FraudPolicy | undefined> {
    const item = await this.#table.get(keys.fraudPolicy(orgId), { consistent: true });
    return item && toFraudPolicy(item);
  }

  async save(orgId: string, before: FraudPolicy | undefined, after: FraudPolicy): Promise<boolean> {
    const item = { ...(after as unknown as Item), ...keys.fraudPolicy(orgId), item_type: 'fraud_policy' };
    return (await this.#table.put(item, before ? { eq: ['version', before.version] } : { absent: 'pk' })).ok;
  }
}

export function toFraudPolicy(item: Item): FraudPolicy {
  const { enabled, max_amount, velocity, blocked, allowed, action, updated_at, version } =
    item as unknown as FraudPolicy;
  return { enabled, max_amount, velocity, blocked, allowed, action, updated_at, version };
}
