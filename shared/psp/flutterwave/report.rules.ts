import type { ChargeReport } from '#shared/ports/charge-report.port.ts';
import { toDecline } from '#shared/psp/flutterwave/declines.catalog.ts';
import type { Transaction } from '#shared/psp/flutterwave/schema.ts';
import { cardReport, expiryOf, networkPart } from '#shared/psp/kit/card-report.ts';
import { UNDECIDED } from '#shared/psp/kit/declines.ts';

/**
 * The card of a transaction, and its token. Flutterwave tells no code of the issuer, no advice, no check of an address
 * and nothing of 3-D Secure: a refusal is a sentence. Source: developer.flutterwave.com, tokenization and transaction
 * verification, read in 2026-11.
 */
export const reportOf = (transaction: Transaction): ChargeReport => ({
  ...networkOf(transaction),
  ...savedOf(transaction),
});

function networkOf(transaction: Transaction): Pick<ChargeReport, 'network'> {
  const { card } = transaction;
  return networkPart({
    cvc: hasWrongCode(transaction) ? 'mismatch' : undefined,
    // `type` is the brand, perhaps with the kind of account: `MASTERCARD DEBIT`.
    card: cardReport({
      brand: card?.type?.split(' ')[0],
      last4: card?.last_4digits,
      funding: /\b(debit|credit|prepaid)\b/i.exec(card?.type ?? '')?.[1],
      country: card?.country,
      ...expiryOf(card?.expiry),
    }),
  });
}

function hasWrongCode({ status, processor_response }: Transaction): boolean {
  const decline = status === 'failed' ? toDecline(processor_response) : UNDECIDED;
  return decline !== UNDECIDED && decline.code === 'incorrect_cvc';
}

/** Each paid card has a token, without being asked. It works only with the mail address that paid. */
function savedOf({ status, card, customer }: Transaction): Pick<ChargeReport, 'saved'> {
  const email = customer?.email?.replace(TEST_PREFIX, '');
  const token = status === 'successful' ? card?.token : undefined;
  return token && email ? { saved: { token, email } } : {};
}

/** UNVERIFIED: in test mode Flutterwave writes this before the customer's address, and knows the token by the rest. */
const TEST_PREFIX = /^ravesb_[0-9a-z]+_/;
