import type { DisputeReason } from '#shared/domain/disputes/dispute.model.ts';

const codes = (reason: DisputeReason, text: string): readonly (readonly [string, DisputeReason])[] =>
  text.split(' ').map((code) => [code, reason]);

/**
 * Reason codes of the card networks and of SEPA → ours. Sources: public tables of acquirers (Adyen, Checkout.com,
 * Stripe; read 2026-11); the networks' own manuals are not public. A code that is not here is `general`.
 */
const BY_CODE: ReadonlyMap<string, DisputeReason> = new Map([
  // Visa.
  ...codes('fraudulent', '10.1 10.2 10.3 10.4 10.5'),
  ...codes('authorization', '11.1 11.2 11.3'),
  ...codes('processing_error', '12.1 12.2 12.3 12.4 12.5 12.7'),
  ...codes('duplicate', '12.6 12.6.1 12.6.2'),
  ...codes('product_not_received', '13.1 13.9'),
  ...codes('subscription_canceled', '13.2'),
  ...codes('product_unacceptable', '13.3 13.4 13.5'),
  ...codes('credit_not_processed', '13.6 13.7'),
  // Mastercard.
  ...codes('fraudulent', '4837 4840 4849 4870 4871'),
  ...codes('unrecognized', '4863'),
  ...codes('authorization', '4807 4808 4812'),
  ...codes('processing_error', '4802 4831 4842 4846 4850'),
  ...codes('duplicate', '4834'),
  ...codes('product_not_received', '4855 4859'),
  ...codes('subscription_canceled', '4841'),
  ...codes('product_unacceptable', '4853 4854'),
  ...codes('credit_not_processed', '4860'),
  // American Express.
  ...codes('fraudulent', 'F10 F14 F24 F29 F30 F31 FR2 FR4 FR6'),
  ...codes('authorization', 'A01 A02 A08'),
  ...codes('credit_not_processed', 'C02 C04 C05'),
  ...codes('product_not_received', 'C08'),
  ...codes('duplicate', 'C14 P08'),
  ...codes('subscription_canceled', 'C18 C28'),
  ...codes('product_unacceptable', 'C31 C32'),
  ...codes('processing_error', 'P01 P03 P04 P05 P07 P22 P23'),
  // Discover and Diners.
  ...codes('fraudulent', 'UA01 UA02 UA05 UA06 UA10 UA11 UA12 UA18 UA20 UA21 UA22 UA23 UA28 UA38'),
  ...codes('unrecognized', 'AA'),
  ...codes('authorization', 'AT DA EX NA'),
  ...codes('subscription_canceled', 'AP'),
  ...codes('duplicate', 'DP PM'),
  ...codes('credit_not_processed', 'CR RN RN2'),
  ...codes('product_not_received', 'RG'),
  ...codes('product_unacceptable', 'RM'),
  ...codes('processing_error', 'AW CD IC IN IS LP'),
  // SEPA direct debit.
  ...codes('debit_not_authorized', 'MD01 MD07'),
  ...codes('insufficient_funds', 'AM04'),
  ...codes('processing_error', 'AC01 AC04 AC06 AC13 AG01 AG02 BE05 CNOR DNOR FF01 RC01 RR01 RR02 RR03 RR04'),
  ...codes('duplicate', 'AM05'),
]);

/** Ours for a network's code, in any spelling of it. */
export const reasonOfNetwork = (code: string | null | undefined): DisputeReason =>
  BY_CODE.get((code ?? '').trim().toUpperCase()) ?? 'general';

/** Words of PSPs that have no list of codes. The first that fits counts. */
const BY_WORDS: readonly (readonly [RegExp, DisputeReason])[] = [
  [/not.{0,3}(received|delivered|provided|rendered)|value not given|no value/i, 'product_not_received'],
  [/not as described|defective|counterfeit|quality|unacceptable|misrepresent/i, 'product_unacceptable'],
  [/duplicate|multiple|twice|paid by other|other means/i, 'duplicate'],
  [/credit not|refund not|not refunded|unprocessed refund/i, 'credit_not_processed'],
  [/fraud|unauthori[sz]ed|stolen|no cardholder|not authori[sz]ed by/i, 'fraudulent'],
  [/recogni[sz]e/i, 'unrecognized'],
  [/cancel/i, 'subscription_canceled'],
  [/authori[sz]ation/i, 'authorization'],
  [/insufficient/i, 'insufficient_funds'],
  [/expired|incorrect|invalid|late|processing|processed|wrong amount/i, 'processing_error'],
];

/** Ours for a reason in words, also with underscores between them. */
export function reasonOfWords(words: string | null | undefined): DisputeReason {
  const text = (words ?? '').replaceAll(/[_-]+/g, ' ');
  return BY_WORDS.find(([pattern]) => pattern.test(text))?.[1] ?? 'general';
}
