import type { ChargeReport } from '#shared/ports/charge-report.port.ts';
import { cardReport, eciOf, expiryOf, networkCode, networkPart } from '#shared/psp/kit/card-report.ts';
import { lookUp } from '#shared/psp/kit/declines.ts';
import type { Payment } from '#shared/psp/mollie/schema.ts';

/**
 * What Mollie tells of a card beside the outcome. Sources: OpenAPI document, `details` of a payment, read in 2026-11. It
 * tells no transaction of the network, no advice and no check of the address. A first payment's mandate is the saved
 * method.
 */
export const reportOf = (payment: Payment): ChargeReport => ({ ...networkOf(payment), ...savedOf(payment) });

function networkOf({ details, statusReason }: Payment): Pick<ChargeReport, 'network'> {
  if (!details) return {};
  return networkPart({
    network_decline_code: networkCode(details.bankReasonCode) ?? lookUp(RESPONSE_CODES, statusReason?.code),
    // Mollie's only word about the security code.
    cvc: details.failureReason === 'invalid_cvv' ? 'mismatch' : undefined,
    eci: eciOf(details.card3dsEci),
    card: cardReport({
      brand: details.cardLabel,
      last4: details.cardNumber,
      funding: details.cardFunding,
      country: details.cardCountryCode,
      ...expiryOf(details.cardExpiryDate),
    }),
  });
}

/** A mandate can be charged as soon as its first payment is made. */
function savedOf({ sequenceType, status, customerId, mandateId }: Payment): Pick<ChargeReport, 'saved'> {
  const isMade = sequenceType === 'first' && (status === 'paid' || status === 'authorized');
  return isMade && customerId && mandateId ? { saved: { customer: customerId, mandate: mandateId } } : {};
}

/** Mollie's words for the issuers' response codes (ISO 8583) that have one meaning at all networks. */
const RESPONSE_CODES: Readonly<Record<string, string>> = {
  refer_to_card_issuer: '01',
  invalid_merchant: '03',
  capture_card: '04',
  do_not_honor: '05',
  error: '06',
  invalid_transaction: '12',
  invalid_amount: '13',
  invalid_card_number: '14',
  invalid_issuer: '15',
  format_error: '30',
  lost_card: '41',
  stolen_card: '43',
  insufficient_funds: '51',
  no_checking_account: '52',
  no_savings_account: '53',
  expired_card: '54',
  invalid_pin: '55',
  transaction_not_permitted_to_cardholder: '57',
  transaction_not_allowed_at_terminal: '58',
  suspected_fraud: '59',
  exceeds_withdrawal_amount_limit: '61',
  restricted_card: '62',
  security_violation: '63',
  exceeds_withdrawal_count_limit: '65',
  allowable_number_of_pin_tries_exceeded: '75',
  issuer_unavailable: '91',
  unable_to_route_transaction: '92',
  violation_of_law: '93',
  duplicate_transaction: '94',
  system_malfunction: '96',
};
