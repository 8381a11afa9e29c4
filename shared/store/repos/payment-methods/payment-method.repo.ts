import { randomInt } from 'node:crypto';
import type { Customer, PaymentMethod } from '#shared/domain/payment-methods/payment-method.model.ts';
import type { PaymentToken } from '#shared/domain/payments/payment-input.model.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import { canonicalJson } from '#shared/kernel/json.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import type { MethodWrite, PaymentMethodsPort } from '#shared/ports/payment-methods.port.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { keys } from '#shared/store/keys.ts';
import type { Item, TablePort, Write } from '#shared/store/table/table.port.ts';
import { transactWithRetry } from '#shared/store/transact-with-retry.ts';
import { VersionedRepo, writeOf } from '#shared/store/versioned-repo.ts';

const methodEntity = {
  name: 'payment method',
  idKind: 'paymentMethod',
  key: keys.paymentMethod,
  toItem: (method: PaymentMethod): Item => ({
    ...(method as unknown as Item),
    ...keys.paymentMethod(method.id),
    item_type: 'payment_method',
  }),
  fromItem: fromItem<PaymentMethod>,
} as const;

/** Half of a SHA-256: two tokens of a customer never have the same. */
const MARK_BYTES = 16;

/**
 * Methods lie by their id. Which ones a customer has, and which is the default, is one item: so exactly one is, however
 * many requests come at once, and a list shows what was written before.
 */
export class PaymentMethodRepo extends VersionedRepo<PaymentMethod> implements PaymentMethodsPort {
  readonly #config: HashConfig;
  constructor(table: TablePort, config: HashConfig) {
    super(table, methodEntity);
    this.#config = config;
  }

  async many(orgId: string, ids: readonly string[]): Promise<readonly PaymentMethod[]> {
    // Not by one batch: that may miss what was just written, and an erasure would leave it behind.
    const methods = await Promise.all(ids.map((id) => this.get(orgId, id)));
    return methods.filter((method) => method !== undefined);
  }

  async customer(orgId: string, customerId: string): Promise<Customer> {
    const item = await this.table.get(keys.customer(orgId, customerId), { consistent: true });
    return item ? fromItem<Customer>(item) : newCustomer(orgId, customerId);
  }

  async commit(
    { before, after }: { readonly before: Customer; readonly after: Customer },
    methods: readonly MethodWrite[] = [],
  ): Promise<boolean> {
    const writes = [customerWrite(before, after), ...methods.map(methodWrite)];
    return (await transactWithRetry(this.table, writes)).ok;
  }

  markOf(orgId: string, provider: string, token: PaymentToken): string {
    const hash = keyedHash(this.#config.hashSecret, 'saved_token', orgId, provider, canonicalJson(token));
    return hash.subarray(0, MARK_BYTES).toString('base64url');
  }
}

const newCustomer = (org_id: string, customer_id: string): Customer => ({
  org_id,
  customer_id,
  method_ids: [],
  default_id: null,
  version: 0,
});

/**
 * A customer whose item was deleted and made again must not have a version that somebody has read before: that write
 * would succeed, and undo all since.
 */
const firstVersion = (): number => randomInt(1, 2 ** 47);

/** Of a customer of whom we keep nothing more, no item stays: it would hold the merchant's reference. */
function customerWrite(before: Customer, after: Customer): Write {
  const key = keys.customer(after.org_id, after.customer_id);
  const unchanged = before.version === 0 ? ({ absent: 'pk' } as const) : ({ eq: ['version', before.version] } as const);
  const isEmpty = after.method_ids.length === 0 && after.erasure_id === undefined;
  if (isEmpty && before.version > 0) return { delete: key, condition: unchanged };
  const version = before.version === 0 ? firstVersion() : before.version + 1;
  const item: Item = { ...(after as unknown as Item), ...key, item_type: 'customer', version };
  return { put: item, condition: unchanged };
}

function methodWrite(write: MethodWrite): Write {
  if (write.after) return writeOf({ ...(write.before && { before: write.before }), after: write.after }, methodEntity);
  const { id, version } = write.before;
  return { delete: keys.paymentMethod(id), condition: { eq: ['version', version] } };
}
