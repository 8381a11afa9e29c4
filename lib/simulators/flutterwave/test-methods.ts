import { reasonFor, reasonIn } from '#lib/simulators/flutterwave/declines.ts';
import { invalid } from '#lib/simulators/flutterwave/errors.ts';
import { isTokenFormat } from '#lib/simulators/flutterwave/objects.ts';
import { declineCodeIn } from '#lib/simulators/kit/behaviour.ts';

/** What the payment method does if no scenario overrides it. */
export type MethodOutcome = 'succeed' | 'page' | 'otp' | 'time' | { readonly reason: string };

/**
 * The test tokens that every simulator accepts, `needs_otp`, `decline_` with a reason of Flutterwave's, and any token
 * in Flutterwave's format.
 */
export function outcomeOfToken(token: string): MethodOutcome {
  if (token === 'ok' || isTokenFormat(token)) return 'succeed';
  if (token === 'needs_3ds') return 'page';
  if (token === 'needs_otp') return 'otp';
  if (token === 'pending') return 'time';
  const code = declineCodeIn(token);
  const reason = code ? reasonFor(code) : reasonIn(token);
  if (reason === undefined) throw invalid('Invalid token passed');
  return { reason };
}

export const OTPS: ReadonlySet<string> = new Set(['12345', '123456']);

type MobileMoney = {
  /** As the transaction names it. */
  readonly paymentType: string;
  readonly currencies: readonly string[];
  readonly networks: readonly string[];
  readonly requiredFields: readonly string[];
  /** The response does not show the transaction. */
  readonly silent: boolean;
};

/** What each kind of mobile money requires. */
export const MOBILE_MONEY: Readonly<Record<string, MobileMoney>> = {
  mobile_money_ghana: {
    paymentType: 'mobilemoneygh',
    currencies: ['GHS'],
    // The page of the charge has TIGO where Flutterwave's library has AIRTELTIGO.
    networks: ['MTN', 'VODAFONE', 'TIGO', 'AIRTELTIGO'],
    requiredFields: ['network'],
    silent: true,
  },
  mobile_money_uganda: {
    paymentType: 'mobilemoneyug',
    currencies: ['UGX'],
    networks: ['MTN', 'AIRTEL'],
    requiredFields: [],
    silent: true,
  },
  mobile_money_rwanda: {
    paymentType: 'mobilemoneyrw',
    currencies: ['RWF'],
    networks: ['MTN', 'AIRTEL'],
    requiredFields: ['order_id'],
    silent: true,
  },
  mobile_money_zambia: {
    paymentType: 'mobilemoneyzm',
    currencies: ['ZMW'],
    networks: ['MTN', 'AIRTEL', 'ZAMTEL'],
    requiredFields: [],
    silent: true,
  },
  mobile_money_tanzania: {
    paymentType: 'mobilemoneytz',
    currencies: ['TZS'],
    networks: ['HALOPESA', 'AIRTEL', 'TIGO', 'VODACOM'],
    requiredFields: [],
    silent: false,
  },
  mobile_money_franco: {
    paymentType: 'mobilemoneysn',
    currencies: ['XAF', 'XOF'],
    networks: ['WAVE', 'MTN', 'ORANGEMONEY', 'MOOV', 'FREE'],
    requiredFields: ['country'],
    silent: false,
  },
  mpesa: {
    paymentType: 'mpesa',
    currencies: ['KES'],
    networks: ['SAFARICOM', 'AIRTEL'],
    requiredFields: [],
    silent: false,
  },
};
