import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import { inMajor } from '#lib/simulators/frame/decimals.ts';
import {
  AUTHENTICATE,
  bankPage,
  chosen,
  closedPage,
  customerPage,
  done,
  goBack,
  gone,
  goTo,
  PAY,
  payPage,
} from '#lib/simulators/frame/pages.ts';
import type { Call, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import { HERE, type WireAnswer } from '#lib/simulators/frame/wire.ts';
import { findTransaction } from '#lib/simulators/paystack/finding.ts';
import type { StoredTransaction } from '#lib/simulators/paystack/objects.ts';
import { attempt, change, fail, succeed } from '#lib/simulators/paystack/outcomes.ts';

const sumOf = ({ body: { amount, currency } }: StoredTransaction): string => `${currency} ${inMajor(amount, 2)}`;
const isOver = ({ body: { status } }: StoredTransaction): boolean =>
  status === 'success' || status === 'reversed' || status === 'failed';

/** Back to where the customer came from, with what Paystack adds to the address. */
function leave({ body: { reference }, notes: { callbackUrl } }: StoredTransaction): WireAnswer {
  return goBack(callbackUrl, { trxref: reference, reference });
}

const stored = (call: Call, work: Work): StoredTransaction | undefined => findTransaction(work, call.params.id ?? '');

function showCheckout(call: Call, work: Work): WireAnswer {
  const transaction = stored(call, work);
  if (!transaction) return gone;
  if (isOver(transaction) || transaction.body.status === 'pending')
    return closedPage(`The payment is ${transaction.body.status}.`);
  return payPage(sumOf(transaction), PAY, call.request.query.get('declined'));
}

function answerCheckout(call: Call, work: Work): WireAnswer {
  const transaction = stored(call, work);
  if (!transaction) return gone;
  const choice = chosen(call, PAY);
  if (choice === 'cancel') return done;
  if (isOver(transaction) || transaction.body.status === 'pending' || !choice) return showCheckout(call, work);
  work.sendBy(transaction.notes.webhook);
  return tried(
    work,
    transaction,
    choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : transaction.notes.behaviour,
  );
}

/** A declined try leaves the page open: the customer may pay with something else, and until then nothing is decided. */
function tried(work: Work, transaction: StoredTransaction, behaviour: Behaviour | null): WireAnswer {
  const after = attempt(work, transaction, behaviour);
  const { accessCode, steps } = after.notes;
  if (steps[0] === 'open_url') return goTo(`${HERE}/paystack/3ds/${accessCode}`);
  if (after.body.status !== 'failed') return leave(after);
  change(work, after, { status: 'abandoned' });
  return goTo(`${HERE}/paystack/checkout/${accessCode}?declined=${encodeURIComponent(after.body.gateway_response)}`);
}

const waits = (transaction: StoredTransaction): boolean =>
  transaction.body.status === 'ongoing' && transaction.notes.steps[0] === 'open_url';

function showAuthentication(call: Call, work: Work): WireAnswer {
  const transaction = stored(call, work);
  if (!transaction) return gone;
  if (!waits(transaction)) return leave(transaction);
  return bankPage('3-D Secure', sumOf(transaction));
}

function answerAuthentication(call: Call, work: Work): WireAnswer {
  const transaction = stored(call, work);
  const choice = chosen(call, AUTHENTICATE);
  if (!transaction || !waits(transaction) || !choice) return showAuthentication(call, work);
  work.sendBy(transaction.notes.webhook);
  const { reason } = transaction.notes.card;
  if (choice === 'authenticate')
    return leave(reason === null ? succeed(work, transaction) : fail(work, transaction, reason));
  if (transaction.notes.onPage) return tried(work, transaction, { kind: 'decline', code: 'authentication_failed' });
  return leave(fail(work, transaction, '3D Secure authentication failed'));
}

export const pageRoutes: readonly Route[] = [
  ...customerPage('/checkout/{id}', showCheckout, answerCheckout),
  ...customerPage('/3ds/{id}', showAuthentication, answerAuthentication),
];
