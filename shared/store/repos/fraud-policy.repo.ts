import type { FraudPolicy } from '#shared/domain/routing/fraud-policy.model.ts';
import type { FraudPoliciesPort } from '#shared/ports/fraud.port.ts';
import type { Item, TablePort } from '#shared/ports/table.port.ts';
import { keys } from '#shared/store/keys.ts';

/** One item per organization, within what routing reads. */
export class FraudPolicyRepo implements FraudPoliciesPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async get(orgId: string): Promise<FraudPolicy | undefined> {
    const item = await this.#table.get(keys.policy(orgId, 'fraud'), { consistent: true });
    return item && toFraudPolicy(item);
  }

  async save(orgId: string, before: FraudPolicy | undefined, after: FraudPolicy): Promise<boolean> {
    const item = { ...(after as unknown as Item), ...keys.policy(orgId, 'fraud'), item_type: 'fraud_policy' };
    return (await this.#table.put(item, before ? { eq: ['version', before.version] } : { absent: 'pk' })).ok;
  }
}

export function toFraudPolicy(item: Item): FraudPolicy {
  const { enabled, max_amount, velocity, blocked, allowed, action, updated_at, version } =
    item as unknown as FraudPolicy;
  return { enabled, max_amount, velocity, blocked, allowed, action, updated_at, version };
}
