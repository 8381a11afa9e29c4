import { timingSafeEqual } from '#shared/kernel/text.ts';
import { hmacHex } from '#shared/psp/kit/webhooks.ts';

type Texts = Readonly<Record<string, unknown>>;

/** The return parameters of a payment link's page and of a bank's, in the order in which they are signed. */
const LINK_FIELDS = [
  'razorpay_payment_link_id',
  'razorpay_payment_link_reference_id',
  'razorpay_payment_link_status',
  'razorpay_payment_id',
] as const;

const BANK_FIELDS = ['razorpay_order_id', 'razorpay_payment_id'] as const;

const SIGNATURE_FIELD = 'razorpay_signature';

const pickTexts = (from: Texts, names: readonly string[]): readonly string[] | undefined => {
  const texts = names.map((name) => from[name]).filter((text) => typeof text === 'string');
  return texts.length === names.length ? texts : undefined;
};

const signedNames = (from: Texts): readonly string[] | undefined =>
  [LINK_FIELDS, BANK_FIELDS].find((names) => pickTexts(from, [...names, SIGNATURE_FIELD]));

/** Only signed parameters continue a charge. Others say no more than a look-up. */
export function readReturn(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  const names = signedNames(parameters);
  return names && Object.fromEntries([...names, SIGNATURE_FIELD].map((name) => [name, parameters[name] ?? '']));
}

/** Signed with the key's secret, over the values joined by `|`. */
export function isSignedReturn(input: Texts, keySecret: string): boolean {
  const parts = pickTexts(input, signedNames(input) ?? [SIGNATURE_FIELD, '']);
  const signature = input[SIGNATURE_FIELD];
  return (
    parts !== undefined &&
    typeof signature === 'string' &&
    timingSafeEqual(signature, hmacHex('sha256', keySecret, parts.join('|')))
  );
}

/** The id of the payment that paid this link; undefined for anything else, which is only looked up. */
export function paidPaymentId(input: Texts, link: string, attemptId: string, keySecret: string): string | undefined {
  const [id, referenceId, status, payment] = pickTexts(input, LINK_FIELDS) ?? [];
  const isOurs = id === link && referenceId === attemptId && status === 'paid';
  return isOurs && payment?.startsWith('pay_') && isSignedReturn(input, keySecret) ? payment : undefined;
}
