import { sameText } from '#shared/kernel/same-text.ts';
import { hmacHex } from '#shared/psp/kit/hmac.ts';

type Texts = Readonly<Record<string, unknown>>;

/** The return parameters, in the order in which they are signed: of a payment link's page, or of a bank's. */
const LINK = [
  'razorpay_payment_link_id',
  'razorpay_payment_link_reference_id',
  'razorpay_payment_link_status',
  'razorpay_payment_id',
] as const;
const BANK = ['razorpay_order_id', 'razorpay_payment_id'] as const;
const SIGNATURE = 'razorpay_signature';

const textsAt = (from: Texts, names: readonly string[]): readonly string[] | undefined => {
  const texts = names.map((name) => from[name]).filter((text) => typeof text === 'string');
  return texts.length === names.length ? texts : undefined;
};

const signedNames = (from: Texts): readonly string[] | undefined =>
  [LINK, BANK].find((names) => textsAt(from, [...names, SIGNATURE]));

/** Only signed parameters continue a charge: others say no more than a look-up. */
export function readReturn(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  const names = signedNames(parameters);
  return names && Object.fromEntries([...names, SIGNATURE].map((name) => [name, parameters[name] ?? '']));
}

/** Signed with the key's own secret, over the parts joined by bars. */
export function isSignedReturn(input: Texts, keySecret: string): boolean {
  const parts = textsAt(input, signedNames(input) ?? [SIGNATURE, '']);
  const signature = input[SIGNATURE];
  return (
    parts !== undefined &&
    typeof signature === 'string' &&
    sameText(signature, hmacHex('sha256', keySecret, parts.join('|')))
  );
}

/** The payment that paid this very link; undefined for anything else, which is only looked up. */
export function paymentOfLink(input: Texts, link: string, attemptId: string, keySecret: string): string | undefined {
  const [id, referenceId, status, payment] = textsAt(input, LINK) ?? [];
  const isOurs = id === link && referenceId === attemptId && status === 'paid';
  return isOurs && payment?.startsWith('pay_') && isSignedReturn(input, keySecret) ? payment : undefined;
}
