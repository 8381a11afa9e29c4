import { type Behaviour, declineCodeIn } from '#lib/simulators/kit/behaviour.ts';
import { textAt } from '#lib/simulators/kit/json.ts';
import {
  isKnownDecline,
  type ProcessorResponse,
  processorCode,
  triggeredResponse,
} from '#lib/simulators/paypal/declines.ts';
import { invalidRequest, unprocessable } from '#lib/simulators/paypal/errors.ts';

/** What the issuer said of the payer, as orders show it. */
export type AuthenticationResult = {
  readonly liability_shift?: string;
  readonly three_d_secure?: { readonly enrollment_status?: string; readonly authentication_status?: string };
};

/** What a payment method of a test does. `processor`: the codes of its capture, whatever the behaviour is. */
export type TestMethod = {
  readonly behaviour: Behaviour | null;
  readonly processor?: ProcessorResponse;
  readonly authentication?: AuthenticationResult;
};

const DECLINED: Behaviour = { kind: 'decline', code: 'card_declined' };

/** Any well-formed number is a valid card. PayPal's sandbox declines it for holder names with `CCREJECT-`. */
export function rawCard(card: unknown): TestMethod {
  if (!/^[0-9]{13,19}$/.test(textAt(card, 'number') ?? ''))
    throw unprocessable('CARD_NUMBER_REQUIRED', 'The card number is required.', '/payment_source/card/number');
  if (!/^[0-9]{4}-(0[1-9]|1[0-2])$/.test(textAt(card, 'expiry') ?? ''))
    throw unprocessable('CARD_EXPIRY_REQUIRED', 'The card expiry is required.', '/payment_source/card/expiry');
  const processor = triggeredResponse(textAt(card, 'name'));
  return processor ? { behaviour: DECLINED, processor } : { behaviour: null };
}

/** `processor_0800`, `processor_5100_advice_03`. */
const PROCESSOR = /^processor_([0-9A-Z]{4})(?:_advice_([0-9]{2}))?$/;

/** Enrollment, authentication, liability shift; `-` for one that is missing: `3ds_Y_U_UNKNOWN`, `3ds_N_-_NO`. */
const AUTHENTICATION = /^3ds_([A-Z]|-)_([A-Z]|-)_([A-Z]+|-)$/;

export function savedMethod(vaultId: unknown, field: string): TestMethod {
  if (typeof vaultId !== 'string' || !/^[0-9a-zA-Z_-]{1,255}$/.test(vaultId)) {
    throw invalidRequest(
      `${field}/vault_id`,
      'INVALID_PARAMETER_SYNTAX',
      'The value of a field does not conform to the expected format.',
    );
  }
  const [, responseCode, advice] = PROCESSOR.exec(vaultId) ?? [];
  if (responseCode !== undefined) return { behaviour: DECLINED, processor: processorCode(responseCode, advice) };
  const result = AUTHENTICATION.exec(vaultId);
  if (result) return { behaviour: { kind: 'requires_action' }, authentication: authenticationResult(result) };
  if (vaultId === 'needs_3ds') return { behaviour: { kind: 'requires_action' } };
  if (vaultId === 'pending') return { behaviour: { kind: 'pending' } };
  if (!vaultId.startsWith('decline_')) return { behaviour: null };
  const code = declineCodeIn(vaultId);
  if (!code || !isKnownDecline(code))
    throw unprocessable('TOKEN_ID_NOT_FOUND', 'Specified token was not found.', `${field}/vault_id`);
  return { behaviour: { kind: 'decline', code } };
}

function authenticationResult([, enrollment, authentication, shift]: readonly string[]): AuthenticationResult {
  const details = { ...word('enrollment_status', enrollment), ...word('authentication_status', authentication) };
  return {
    ...word('liability_shift', shift),
    ...(Object.keys(details).length > 0 && { three_d_secure: details }),
  };
}

const word = (name: string, value: string | undefined): Readonly<Record<string, string>> =>
  value === undefined || value === '-' ? {} : { [name]: value };
