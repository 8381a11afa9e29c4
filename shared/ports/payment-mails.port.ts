import type { Payment } from '#shared/domain/payments/payment.model.ts';

/** Payments by their customer's mail address, of which only a keyed hash is stored. */
export interface PaymentMailsPort {
  /** Files a payment under the hash that it carries. A repeat changes nothing. */
  file(payment: Pick<Payment, 'id' | 'mail_hash'>): Promise<void>;
  /** Ids of payments that were made with this address, the newest first. Their own address may be erased since. */
  find(orgId: string, email: string, limit: number): Promise<readonly string[]>;
  /** Undoes `file`, for a payment that was erased before. */
  unfile(payment: Pick<Payment, 'id' | 'mail_hash'>): Promise<void>;
  erase(payment: Pick<Payment, 'id' | 'org_id' | 'customer_email'>): Promise<void>;
}
