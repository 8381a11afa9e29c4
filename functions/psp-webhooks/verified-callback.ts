import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { SentThrough } from '#shared/domain/routing/connection-credentials.rules.ts';
import type { Deadline } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';

/**
 * A callback whose sender is proven, with its payment and an open session for questions within one request's time.
 * `through`: the account that sent it.
 */
export type VerifiedCallback = {
  readonly payment: Payment;
  readonly connection: Connection;
  readonly through: SentThrough;
  readonly session: PspSession;
  readonly deadline: Deadline;
};
