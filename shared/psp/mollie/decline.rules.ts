import { type Decline, type DeclineClass, declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { REASONS } from '#shared/psp/mollie/declines.catalog.ts';
import { codeOf } from '#shared/psp/mollie/error.rules.ts';
import type { MollieFault, Payment } from '#shared/psp/mollie/objects.schema.ts';

/** Strictest first. */
const STRICTNESS: readonly DeclineClass[] = [
  'never',
  'new_method',
  'fix_input',
  'config',
  'only_other_psp',
  'retry_same_later',
  'retry_other_psp',
];

/**
 * Mollie may give its own reason and the card scheme's: the stricter one counts. Without a known one it is a plain
 * decline.
 */
export function toDecline({ details, statusReason }: Payment): Decline {
  const said = [statusReason?.code, details?.failureReason].map(codeOf).filter((code) => code !== null);
  const known = said.flatMap(knownDecline).sort((a, b) => STRICTNESS.indexOf(a.retry) - STRICTNESS.indexOf(b.retry));
  return known[0] ?? declineOf('card_declined', said[0] ?? null);
}

function knownDecline(reason: string): readonly Decline[] {
  const known = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  if (known === undefined) return [];
  return [typeof known === 'string' ? declineOf(known, reason) : declineOf(known[0], reason, known[1])];
}

/** Fields of the customer's input. */
const ABOUT_METHOD = new Set(['cardToken', 'applePayPaymentToken', 'customerId', 'mandateId']);

/**
 * A charge refused for its content, method or amount: the customer's matter, so a decline and no configuration error.
 */
export function requestRefusal(status: number, { field, detail }: MollieFault): Decline | undefined {
  if (status !== 422 || !field) return undefined;
  if (ABOUT_METHOD.has(field)) return declineOf('invalid_payment_method');
  if (field === 'method') return declineOf('method_not_supported');
  if (!/^amount(\.|$)/.test(field)) return undefined;
  return declineOf(
    field === 'amount.currency' || /currency/i.test(detail ?? '') ? 'currency_not_supported' : 'amount_not_supported',
  );
}

const GONE: ReadonlySet<number> = new Set([404, 410]);

/** The same for a known customer's charge: the customer is the only object in it that may be missing or deleted. */
export const customerRefusal = (status: number, fault: MollieFault): Decline | undefined =>
  GONE.has(status) ? declineOf('invalid_payment_method') : requestRefusal(status, fault);

/** Mollie's words for an invalid mandate; that they come with a field's name is not documented. */
const NO_MANDATE =
  /\bno suitable mandates?\b|\bmandate\b.*\b(?:invalid|not valid|revoked|no longer)\b|\bcard was not found\b/i;

/** The same for a mandate charge, whose mandate or customer may also be deleted: 410. */
export function mandateRefusal(status: number, fault: MollieFault): Decline | undefined {
  if (status === 410) return declineOf('authorization_revoked');
  return (
    customerRefusal(status, fault) ??
    (status === 422 && NO_MANDATE.test(fault.detail ?? '') ? declineOf('invalid_payment_method') : undefined)
  );
}
