import type { ChargeReport } from '#shared/ports/charge-report.port.ts';
import { cardReport, networkPart } from '#shared/psp/kit/card-report.ts';
import { UNDECIDED } from '#shared/psp/kit/declines.ts';
import { toDecline } from '#shared/psp/paystack/declines.catalog.ts';
import type { Transaction } from '#shared/psp/paystack/schema.ts';

/**
 * A transaction's `authorization`: the card, and the code that charges it again. Paystack tells no code of the issuer,
 * no advice, no check of an address and nothing of 3-D Secure: a refusal is a sentence. Source: OpenAPI document and
 * Paystack's samples, read in 2026-11.
 */
export const reportOf = (transaction: Transaction): ChargeReport => ({
  ...networkOf(transaction),
  ...savedOf(transaction),
});

/** Authorizations of other channels have digits of a phone or an account where a card has its last four. */
function networkOf(transaction: Transaction): Pick<ChargeReport, 'network'> {
  const { channel, authorization } = transaction;
  const channels = [channel, authorization?.channel].filter(Boolean);
  const isCard = channels.length > 0 && channels.every((each) => each === 'card');
  return networkPart({
    cvc: hasWrongCode(transaction) ? 'mismatch' : undefined,
    card: isCard && authorization ? cardOf(authorization) : undefined,
  });
}

function hasWrongCode(transaction: Transaction): boolean {
  const decline = transaction.status === 'failed' ? toDecline(transaction) : UNDECIDED;
  return decline !== UNDECIDED && decline.code === 'incorrect_cvc';
}

/** `card_type` has the brand and the kind of account: `visa DEBIT`. */
const cardOf = ({ brand, card_type, last4, country_code, exp_month, exp_year }: NonNullable<Authorization>) =>
  cardReport({
    brand: brand ?? card_type?.split(' ')[0],
    last4,
    funding: /\b(debit|credit|prepaid)\b/i.exec(card_type ?? '')?.[1],
    country: country_code,
    month: exp_month,
    year: exp_year,
  });

type Authorization = Transaction['authorization'];

/** Paystack keeps every card without being asked. Its code works only with the mail address that paid. */
function savedOf({ status, authorization, customer }: Transaction): Pick<ChargeReport, 'saved'> {
  const { reusable, authorization_code } = authorization ?? {};
  const email = customer?.email;
  const isKept = status === 'success' && reusable === true;
  return isKept && authorization_code && email ? { saved: { authorization_code, email } } : {};
}
