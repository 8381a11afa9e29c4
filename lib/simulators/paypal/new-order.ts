import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import { textAt, valueAt } from '#lib/simulators/frame/json.ts';
import type { Call, Input } from '#lib/simulators/frame/provider.port.ts';
import { declineAsked } from '#lib/simulators/frame/test-tokens.ts';
import { canBeAsked } from '#lib/simulators/paypal/declines.ts';
import { impossible, malformed } from '#lib/simulators/paypal/errors.ts';
import { readMoney } from '#lib/simulators/paypal/money.ts';
import type { OrderNotes, Unit } from '#lib/simulators/paypal/objects.ts';
import { payerIsAway } from '#lib/simulators/paypal/stored-credential.ts';

/** How the payer pays: at the page, or with what was given. `says`: how that behaves. */
export type Source = Pick<OrderNotes, 'source' | 'returnUrl' | 'cancelUrl'> & {
  readonly atOnce: boolean;
  readonly says: Behaviour | null;
  /** The payer is absent. */
  readonly away: boolean;
  readonly shown: Input;
};

const LABEL_LENGTH = 127;

function label(unit: unknown, name: 'custom_id' | 'invoice_id' | 'description'): Readonly<Record<string, string>> {
  const value = valueAt(unit, name);
  if (value === undefined) return {};
  if (typeof value === 'string' && value.length >= 1 && value.length <= LABEL_LENGTH) return { [name]: value };
  throw malformed(
    `/purchase_units/@reference_id=='default'/${name}`,
    'INVALID_STRING_LENGTH',
    'The value of a field is either too short or too long.',
  );
}

export function readUnit(input: Input): Unit {
  const { intent, purchase_units: units } = input;
  if (intent === undefined)
    throw malformed('/intent', 'MISSING_REQUIRED_PARAMETER', 'A required field / parameter is missing.');
  if (intent !== 'CAPTURE')
    throw malformed('/intent', 'INVALID_PARAMETER_VALUE', 'This simulator knows the intent CAPTURE only.');
  if (!Array.isArray(units))
    throw malformed('/purchase_units', 'MISSING_REQUIRED_PARAMETER', 'A required field / parameter is missing.');
  if (units.length === 0)
    throw malformed(
      '/purchase_units',
      'INVALID_ARRAY_MIN_ITEMS',
      'The number of items in an array parameter is too small.',
    );
  if (units.length > 1)
    throw malformed('/purchase_units', 'INVALID_ARRAY_MAX_ITEMS', 'This simulator knows orders of one unit only.');
  const [unit] = units;
  const amount = readMoney(valueAt(unit, 'amount'), "/purchase_units/@reference_id=='default'/amount");
  const reference_id = textAt(unit, 'reference_id') ?? 'default';
  return {
    reference_id,
    amount,
    ...label(unit, 'custom_id'),
    ...label(unit, 'invoice_id'),
    ...label(unit, 'description'),
  };
}

const ADDRESS = /^https?:\/\/\S+$/;

function address(context: unknown, name: string, field: string): string | null {
  const url = textAt(context, name);
  if (url === null) return null;
  if (!ADDRESS.test(url))
    throw malformed(
      `${field}/experience_context/${name}`,
      'INVALID_PARAMETER_SYNTAX',
      'The value of a field does not conform to the expected format.',
    );
  return url;
}

export function readSource(input: Input, { key }: Call): Source {
  const sources = Object.entries(Object(input.payment_source ?? {}));
  if (sources.length > 1)
    throw malformed('/payment_source', 'INVALID_PARAMETER_VALUE', 'Only one payment source can be given.');
  const [name, given] = sources[0] ?? ['paypal', {}];
  if (name !== 'paypal' && name !== 'card')
    throw malformed(`/payment_source/${name}`, 'NOT_SUPPORTED', 'This simulator knows PayPal accounts and cards only.');
  const field = `/payment_source/${name}`;
  const context = valueAt(given, 'experience_context');
  const urls = { returnUrl: address(context, 'return_url', field), cancelUrl: address(context, 'cancel_url', field) };
  const vaultId = valueAt(given, 'vault_id');
  if (vaultId === undefined && name === 'paypal')
    return { ...urls, source: 'page', atOnce: false, says: null, away: false, shown: { paypal: {} } };
  if (key === null)
    throw malformed(
      'PayPal-Request-Id',
      'PAYPAL_REQUEST_ID_REQUIRED',
      'A PayPal-Request-Id is required if you are trying to process payment for an Order.',
    );
  const away = payerIsAway(given, name, field);
  const says = vaultId === undefined ? rawCard(given) : saved(vaultId, field);
  const shown =
    name === 'card'
      ? { card: { last_digits: '1111', brand: 'VISA', type: 'CREDIT' } }
      : { paypal: { email_address: 'kim@example.com' } };
  return { ...urls, source: name === 'card' ? 'card' : 'wallet', atOnce: true, says, away, shown };
}

/** A number stands for a good card; PayPal's rejections are asked for by the holder's name. */
function rawCard(card: unknown): Behaviour | null {
  if (!/^[0-9]{13,19}$/.test(textAt(card, 'number') ?? ''))
    throw impossible('CARD_NUMBER_REQUIRED', 'The card number is required.', '/payment_source/card/number');
  if (!/^[0-9]{4}-(0[1-9]|1[0-2])$/.test(textAt(card, 'expiry') ?? ''))
    throw impossible('CARD_EXPIRY_REQUIRED', 'The card expiry is required.', '/payment_source/card/expiry');
  return textAt(card, 'name')?.startsWith('CCREJECT-') ? { kind: 'decline', code: 'card_declined' } : null;
}

function saved(vaultId: unknown, field: string): Behaviour | null {
  if (typeof vaultId !== 'string' || !/^[0-9a-zA-Z_-]{1,255}$/.test(vaultId)) {
    throw malformed(
      `${field}/vault_id`,
      'INVALID_PARAMETER_SYNTAX',
      'The value of a field does not conform to the expected format.',
    );
  }
  if (vaultId === 'needs_3ds') return { kind: 'requires_action' };
  if (vaultId === 'pending') return { kind: 'pending' };
  if (!vaultId.startsWith('decline_')) return null;
  const code = declineAsked(vaultId);
  if (!code || !canBeAsked(code))
    throw impossible('TOKEN_ID_NOT_FOUND', 'Specified token was not found.', `${field}/vault_id`);
  return { kind: 'decline', code };
}
