import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { isId } from '#shared/kernel/ids.ts';
import { type ChargeOfEvent, PspRefused } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';

type Account = { readonly connection: Pick<Connection, 'org_id' | 'id'>; readonly session: PspSession };

type Ids = Awaited<ReturnType<PspSession['chargeIds']>>;

/** Charges of other systems, by their connection. A charge never becomes ours later, so it is looked up once. */
const foreign = new Set<string>();
const MAX_FOREIGN = 2_000;

/** The ids that we gave a charge, from the PSP. None of a charge that we did not make. */
export async function lookUpChargeIds(charge: ChargeOfEvent, { connection, session }: Account): Promise<Ids> {
  const name = [connection.org_id, connection.id, charge.reference ?? `refund ${charge.refund}`].join(' ');
  if (foreign.has(name)) return undefined;
  const ids = await session.chargeIds(charge).catch(undefinedIfRefused);
  if (ids !== 'unknown' && !isId('payment', ids?.payment_id ?? '')) remember(name);
  return ids;
}

function remember(name: string): void {
  const [oldest] = foreign;
  if (foreign.size >= MAX_FOREIGN && oldest !== undefined) foreign.delete(oldest);
  foreign.add(name);
}

/** What the PSP refuses to look up is no charge that we made. With wrong credentials nothing can be said. */
function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof PspRefused && error.kind === 'request') return undefined;
  throw error;
}
