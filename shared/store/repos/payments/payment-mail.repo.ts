import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { mailHash } from '#shared/domain/reference/email.rules.ts';
import { byAge } from '#shared/kernel/hash-versions.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import type { PaymentMailsPort } from '#shared/ports/payment-mails.port.ts';
import type { Key, TablePort } from '#shared/store/table/table.port.ts';

/** Not in `keys.ts`, which every payment loads. */
export const paymentMailKeys = {
  paymentMail: (hash: string, paymentId: string): Key => ({ pk: `PMAIL#${hash}`, sk: paymentId }),
};

export class PaymentMailRepo implements PaymentMailsPort {
  readonly #table: TablePort;
  readonly #config: HashConfig;
  constructor(table: TablePort, config: HashConfig) {
    this.#table = table;
    this.#config = config;
  }

  async file({ id, mail_hash }: Pick<Payment, 'id' | 'mail_hash'>): Promise<void> {
    if (mail_hash === undefined) return;
    await this.#table.put({ ...paymentMailKeys.paymentMail(mail_hash, id), item_type: 'payment_mail' });
  }

  async unfile({ id, mail_hash }: Pick<Payment, 'id' | 'mail_hash'>): Promise<void> {
    if (mail_hash === undefined) return;
    await this.#table.delete(paymentMailKeys.paymentMail(mail_hash, id));
  }

  async find(orgId: string, email: string, limit: number): Promise<readonly string[]> {
    const pages = await Promise.all(
      this.#hashes(orgId, email).map((hash) =>
        this.#table.query({ pk: paymentMailKeys.paymentMail(hash, '').pk, limit, newestFirst: true }),
      ),
    );
    const ids = pages.flatMap(({ items }) => items.map(({ sk }) => sk));
    return ids.sort().reverse().slice(0, limit);
  }

  async erase({ id, org_id, customer_email }: Pick<Payment, 'id' | 'org_id' | 'customer_email'>): Promise<void> {
    if (customer_email === null) return;
    for (const hash of this.#hashes(org_id, customer_email))
      await this.#table.delete(paymentMailKeys.paymentMail(hash, id));
  }

  /** A payment is filed under the version of the secret that was current when it was made. */
  #hashes(orgId: string, email: string): readonly string[] {
    const { hashSecret, rotations } = this.#config;
    return byAge(hashSecret, rotations?.hashSecret).map((secret) => mailHash(secret, orgId, email));
  }
}
