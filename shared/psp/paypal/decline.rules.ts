import {
  type Decline,
  type DeclineClass,
  declineOf,
  type FailureCode,
} from '#shared/domain/payments/declines.catalog.ts';
import { ADVICE, ISSUES, RESPONSE_CODES, SERIES_ENDED, WITHOUT_REASON } from '#shared/psp/paypal/declines.catalog.ts';
import { codeOf, issueOf } from '#shared/psp/paypal/error.rules.ts';
import type { Capture, Order, PaypalFault } from '#shared/psp/paypal/objects.schema.ts';

type Meaning = FailureCode | readonly [FailureCode, DeclineClass];

const meaningIn = (
  table: Readonly<Record<string, Meaning>>,
  code: string | null,
): readonly [FailureCode, DeclineClass?] | undefined => {
  const known = code !== null && Object.hasOwn(table, code) ? table[code] : undefined;
  return typeof known === 'string' ? [known] : known;
};

/** PayPal's declined or failed capture. An unknown reason is a plain decline. */
export function captureDecline({ processor_response: response }: Capture): Decline {
  const reason = codeOf(response?.response_code);
  const [code, usual] = meaningIn(RESPONSE_CODES, reason) ?? ['card_declined'];
  const advice = response?.payment_advice_code ?? '';
  if (advice === SERIES_ENDED && WITHOUT_REASON.has(code)) return declineOf('authorization_revoked', reason);
  return declineOf(code, reason, Object.hasOwn(ADVICE, advice) ? ADVICE[advice] : usual);
}

/** Malformed, or impossible. */
const OF_REQUEST: ReadonlySet<number> = new Set([400, 422]);

/** A refusal about the payer, so a decline and no configuration error. */
export function refusalDecline(status: number, fault: PaypalFault): Decline | undefined {
  const issue = issueOf(fault);
  const meaning = OF_REQUEST.has(status) ? meaningIn(ISSUES, issue) : undefined;
  return meaning && declineOf(meaning[0], issue, meaning[1]);
}

/** The same for a new order, in which only the saved method is an id of PayPal's. */
export function orderDecline(status: number, fault: PaypalFault, byToken: boolean): Decline | undefined {
  const issue = issueOf(fault);
  const isOfToken = status === 404 ? issue === 'INVALID_RESOURCE_ID' : OF_REQUEST.has(status) && namesToken(fault);
  return (
    refusalDecline(status, fault) ?? (byToken && isOfToken ? declineOf('invalid_payment_method', issue) : undefined)
  );
}

const namesToken = ({ details }: PaypalFault): boolean =>
  details?.some(({ field }) => field?.endsWith('/vault_id')) === true;

const FAILED_AUTHENTICATION: ReadonlySet<string> = new Set(['N', 'R']);

/** The card's bank did not authenticate the payer: PayPal leaves it to us not to capture then. */
export function failedAuthentication({ payment_source: source }: Order): Decline | undefined {
  const result = source?.card?.authentication_result;
  const status = result?.three_d_secure?.authentication_status ?? '';
  return result?.liability_shift !== 'POSSIBLE' && FAILED_AUTHENTICATION.has(status)
    ? declineOf('authentication_failed')
    : undefined;
}
