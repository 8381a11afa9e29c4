import type { Customer, PaymentMethod } from '#shared/domain/payment-methods/payment-method.model.ts';
import type { PaymentToken } from '#shared/domain/payments/payment-input.model.ts';

/** A method to write beside its customer: a new one without `before`, a deleted one without `after`. */
export type MethodWrite =
  | { readonly before?: PaymentMethod; readonly after: PaymentMethod }
  | { readonly before: PaymentMethod; readonly after?: undefined };

export interface PaymentMethodsPort {
  get(orgId: string, id: string): Promise<PaymentMethod | undefined>;
  /** Those of the ids that exist, in the order of the ids. */
  many(orgId: string, ids: readonly string[]): Promise<readonly PaymentMethod[]>;
  /** With version 0 if we keep nothing of this customer. */
  customer(orgId: string, customerId: string): Promise<Customer>;
  /**
   * The customer, as it was read and as it shall be, and methods, in one write. False, with nothing written, if one of
   * them has changed since it was read, or if a new one exists already.
   */
  commit(
    customer: { readonly before: Customer; readonly after: Customer },
    methods?: readonly MethodWrite[],
  ): Promise<boolean>;
  /** Decides on the stored method and writes on its version; after a conflict it decides again. */
  change(method: PaymentMethod, decide: (method: PaymentMethod) => PaymentMethod | undefined): Promise<PaymentMethod>;
  /** A keyed hash of a token, to find the method that has it. */
  markOf(orgId: string, provider: string, token: PaymentToken): string;
}
