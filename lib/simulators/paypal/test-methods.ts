import { type Behaviour, declineCodeIn } from '#lib/simulators/kit/behaviour.ts';
import { textAt } from '#lib/simulators/kit/json.ts';
import { isKnownDecline } from '#lib/simulators/paypal/declines.ts';
import { invalidRequest, unprocessable } from '#lib/simulators/paypal/errors.ts';

/** Any well-formed number is a valid card. PayPal's sandbox declines it for holder names with `CCREJECT-`. */
export function rawCard(card: unknown): Behaviour | null {
  if (!/^[0-9]{13,19}$/.test(textAt(card, 'number') ?? ''))
    throw unprocessable('CARD_NUMBER_REQUIRED', 'The card number is required.', '/payment_source/card/number');
  if (!/^[0-9]{4}-(0[1-9]|1[0-2])$/.test(textAt(card, 'expiry') ?? ''))
    throw unprocessable('CARD_EXPIRY_REQUIRED', 'The card expiry is required.', '/payment_source/card/expiry');
  return textAt(card, 'name')?.startsWith('CCREJECT-') ? { kind: 'decline', code: 'card_declined' } : null;
}

export function savedMethod(vaultId: unknown, field: string): Behaviour | null {
  if (typeof vaultId !== 'string' || !/^[0-9a-zA-Z_-]{1,255}$/.test(vaultId)) {
    throw invalidRequest(
      `${field}/vault_id`,
      'INVALID_PARAMETER_SYNTAX',
      'The value of a field does not conform to the expected format.',
    );
  }
  if (vaultId === 'needs_3ds') return { kind: 'requires_action' };
  if (vaultId === 'pending') return { kind: 'pending' };
  if (!vaultId.startsWith('decline_')) return null;
  const code = declineCodeIn(vaultId);
  if (!code || !isKnownDecline(code))
    throw unprocessable('TOKEN_ID_NOT_FOUND', 'Specified token was not found.', `${field}/vault_id`);
  return { kind: 'decline', code };
}
