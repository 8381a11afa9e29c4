import * as z from 'zod';
import { PspOutcomeUnknown, type PspTransaction } from '#shared/ports/psp.port.ts';

const text = z.string().min(1).max(255).optional().catch(undefined);

const OurIds = z.object({ org_id: text, connection_id: text, payment_id: text, customer_email: text });

/** Those of our ids that a provider's copy of our metadata holds: an object, or JSON as text. */
export function ourIdsIn(metadata: unknown): PspTransaction['ids'] {
  const { org_id, connection_id, payment_id, customer_email } =
    OurIds.safeParse(typeof metadata === 'string' ? objectIn(metadata) : metadata).data ?? {};
  return {
    ...(org_id !== undefined && { org_id }),
    ...(connection_id !== undefined && { connection_id }),
    ...(payment_id !== undefined && { payment_id }),
    ...(customer_email !== undefined && { customer_email }),
  };
}

function objectIn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** An amount that is not understood hides no charge: it is listed without one. */
export function moneyIn(read: () => PspTransaction['money']): PspTransaction['money'] {
  try {
    return read();
  } catch (error) {
    if (error instanceof PspOutcomeUnknown) return undefined;
    throw error;
  }
}

/** For lists with numbered pages. The first page has no cursor. */
export const pageNumber = (cursor: string | undefined): number => Number(cursor ?? '1');
