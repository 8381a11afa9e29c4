import { ADVICE, REASONS, toDecline } from '#shared/psp/stripe/declines.catalog.ts';
import { REFUND_REASONS, toOutcome, toRefundOutcome, toSessionOutcome } from '#shared/psp/stripe/outcomes.rules.ts';
import documented from '#test/fixtures/stripe/documented-codes.json' with { type: 'json' };
import { describeDocumentedCodes } from '#test/unit/psp/documented-codes.ts';

type Lists = Parameters<typeof describeDocumentedCodes>[1];
type Read = Lists[number]['read'];

const isListed = (code: string) => Object.hasOwn(REASONS, code);
const declineBy =
  (field: 'code' | 'decline_code'): Read =>
  (code) =>
    isListed(code) ? toDecline({ type: 'card_error', [field]: code }) : undefined;

/** What each documented status means. One that is missing here, or is read as another, counts as not mapped. */
const MEANINGS: Readonly<Record<string, string>> = {
  'intent canceled': 'canceled',
  'intent processing': 'processing',
  'intent requires_action': 'requires_action',
  'intent requires_capture': 'processing',
  'intent requires_confirmation': 'processing',
  'intent requires_payment_method': 'declined',
  'intent succeeded': 'succeeded',
  'session complete': 'processing',
  'session expired': 'declined',
  'session open': 'requires_action',
  'refund canceled': 'failed',
  'refund failed': 'failed',
  'refund pending': 'accepted',
  'refund requires_action': 'accepted',
  'refund succeeded': 'succeeded',
};

const asDocumented =
  (what: string, kindOf: (status: string) => string): Read =>
  (status) => {
    const kind = kindOf(status);
    return MEANINGS[`${what} ${status}`] === kind ? kind : undefined;
  };

const intentStatus = (status: string): string =>
  toOutcome({
    id: 'pi_1',
    object: 'payment_intent',
    status,
    amount_received: 100,
    currency: 'eur',
    last_payment_error: { type: 'card_error', code: 'expired_card' },
  }).kind;
const sessionStatus = (status: string): string =>
  toSessionOutcome({ id: 'cs_1', object: 'checkout.session', status, url: 'https://pay.example/1' }).kind;
const refundStatus = (status: string): string =>
  toRefundOutcome({ id: 're_1', object: 'refund', status, amount: 100, currency: 'eur' }).kind;

const READ: Readonly<Record<string, Read>> = {
  'decline codes of cards': declineBy('decline_code'),
  'decline codes of other payment methods': declineBy('decline_code'),
  'outcome reasons of other payment methods': declineBy('decline_code'),
  'failure codes of bank debits': declineBy('code'),
  'error codes': declineBy('code'),
  'advice codes': (code) => ADVICE[code],
  'payment intent statuses': asDocumented('intent', intentStatus),
  'checkout session statuses': asDocumented('session', sessionStatus),
  'refund statuses': asDocumented('refund', refundStatus),
  'refund failure reasons': (code) => REFUND_REASONS[code],
};

const lists: Lists = documented.lists.map((list) => ({ ...list, read: READ[list.name] ?? (() => undefined) }));

describeDocumentedCodes('stripe', lists);
