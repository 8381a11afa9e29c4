import type { Connection } from '#shared/domain/connection.model.ts';
import type { SentThrough } from '#shared/domain/connection-credentials.rules.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import type { Deadline } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';

/** A callback whose sender is proven: whose it is, and the PSP opened for questions within the time one request has. `through`: the account that speaks. */
export type VerifiedCallback = {
  readonly payment: Payment;
  readonly connection: Connection;
  readonly through: SentThrough;
  readonly session: PspSession;
  readonly deadline: Deadline;
};
