import { invalid } from '#lib/simulators/adyen/errors.ts';
import { newPspReference, type PaymentNotes, type StoredPayment } from '#lib/simulators/adyen/objects.ts';
import type { Body } from '#lib/simulators/adyen/requests.ts';
import { isObject, textAt } from '#lib/simulators/kit/json.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';

type Token = StoredObject<{ readonly type: string }, { readonly shopper: string }>;

const isToken = (stored: StoredObject): stored is Token => stored.kind === 'token';

const CARD_TYPES: ReadonlySet<string> = new Set(['scheme', 'card', 'bcmc', 'applepay', 'googlepay']);

const AVS_TEXTS: Readonly<Record<string, string>> = {
  1: 'Address matches, but the postal code does not match',
  2: 'Neither postal code nor address match',
  3: 'AVS unavailable',
  5: 'No AVS data provided',
  6: 'Postal code matches, but the address does not match',
  7: 'Both postal code and address match',
};

/** Adyen's test environment gives the result that such an address asks for: `Test AVS result`, house 4. */
function avsOf(body: Body): string {
  if (!isObject(body.billingAddress)) return '5';
  return textAt(body, 'billingAddress', 'street') === 'Test AVS result'
    ? (textAt(body, 'billingAddress', 'houseNumberOrName') ?? '0')
    : '7';
}

/** What a request says of its card beside the number. */
export const cardNotes = (body: Body): Pick<PaymentNotes, 'avs' | 'cvc' | 'stored'> => ({
  avs: avsOf(body),
  cvc: textAt(body, 'paymentMethod', 'encryptedSecurityCode') === null ? '6' : '1',
  ...(textAt(body, 'shopperInteraction') === 'ContAuth' && { stored: true }),
});

/** A method that was kept for this shopper. Others are known by their form only. */
export function checkStored(body: Body, work: UnitOfWork): void {
  const token = work.objects.find(textAt(body, 'paymentMethod', 'storedPaymentMethodId'), isToken);
  if (token && (token.account !== work.account || token.notes.shopper !== textAt(body, 'shopperReference')))
    throw invalid('803', 'PaymentDetail not found');
}

/** Keeps the method for the shopper, once. */
export function keepMethod(work: UnitOfWork, payment: StoredPayment): StoredPayment {
  const { keep: shopper, token, method } = payment.notes;
  if (shopper === undefined || token !== undefined) return payment;
  const kept: Token = work.objects.put({
    id: newPspReference(),
    account: work.account,
    kind: 'token',
    paymentId: payment.paymentId,
    parent: null,
    due: null,
    body: { type: method.type },
    notes: { shopper },
  });
  return work.objects.change(payment, {}, { token: kept.id });
}

/** What an account gets, in responses and notifications, that has switched on all additional data. */
export const additionalDataOf = ({ notes }: StoredPayment): Readonly<Record<string, string>> => ({
  ...(CARD_TYPES.has(notes.method.type) && cardData(notes)),
  ...(notes.stored && { shopperInteraction: 'ContAuth' }),
  ...tokenData(notes),
  refusalReasonRaw: 'AUTHORISED',
});

function cardData({ method, avs = '5', cvc = '6', authenticated }: PaymentNotes): Readonly<Record<string, string>> {
  return {
    authCode: '044925',
    avsResult: `${avs} ${AVS_TEXTS[avs] ?? 'Unknown'}`,
    cardIssuingCountry: 'NL',
    cardSummary: '1142',
    cvcResult: cvc === '1' ? '1 Matches' : '6 No CVC/CVV provided',
    expiryDate: '3/2030',
    fundingSource: 'CREDIT',
    liabilityShift: String(authenticated === true),
    networkTxReference: '777718270854480',
    paymentMethod: method.brand ?? 'visa',
    ...(authenticated && { eci: '05' }),
  };
}

const tokenData = ({ keep, token }: PaymentNotes): Readonly<Record<string, string>> => ({
  ...(keep !== undefined &&
    token !== undefined && {
      'recurring.recurringDetailReference': token,
      'recurring.shopperReference': keep,
      'tokenization.shopperReference': keep,
      'tokenization.store.operationType': 'created',
      'tokenization.storedPaymentMethodId': token,
    }),
});
