import type { Connection } from '#shared/domain/connection.model.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import type { Deadline } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';

/** A callback whose sender is proven: whose it is, and the PSP opened for questions within the time one request has. */
export type VerifiedCallback = { readonly payment: Payment; readonly connection: Connection; readonly session: PspSession; readonly deadline: Deadline };
