import type { FraudPolicy } from '#shared/domain/routing/fraud-policy.model.ts';
import type { FraudPoliciesPort } from '#shared/ports/fraud.port.ts';
import { keys } from '#shared/store/keys.ts';
import { fraudPolicyItem, toFraudPolicy } from '#shared/store/repos/routing/setup.entity.ts';
import { writeSetup } from '#shared/store/repos/routing/write-setup.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

/** One item per organization. */
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
    const condition = before ? ({ eq: ['version', before.version] } as const) : ({ absent: 'pk' } as const);
    return (await writeSetup(this.#table, orgId, [{ put: fraudPolicyItem(orgId, after), condition }])).ok;
  }
}
