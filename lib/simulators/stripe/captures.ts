import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { changeCharge, isMulticapture, latestCharge } from '#lib/simulators/stripe/charges.ts';
import { declineFor } from '#lib/simulators/stripe/declines.ts';
import { cardDeclined, codeWithDocs, invalid, invalidState, unexpectedState } from '#lib/simulators/stripe/errors.ts';
import { announce } from '#lib/simulators/stripe/events.ts';
import { integerAt, metadataOf, textAt } from '#lib/simulators/stripe/form.ts';
import { toIsoUnits } from '#lib/simulators/stripe/money.ts';
import {
  findIntent,
  newStripeId,
  type PaymentIntent,
  type StoredCharge,
  type StoredIntent,
} from '#lib/simulators/stripe/objects.ts';
import { cancel, changeIntent } from '#lib/simulators/stripe/outcomes.ts';
import { CAPTURE_INTENT } from '#lib/simulators/stripe/parameters.ts';
import { type ApiRequest, apiRoute } from '#lib/simulators/stripe/requests.ts';

type Held = { readonly intent: StoredIntent; readonly charge: StoredCharge };
type Capture = { readonly amount: number; readonly final: boolean };

function heldIntent(work: UnitOfWork, id: string): Held {
  const intent = findIntent(work, id);
  const charge = latestCharge(work, intent);
  if (intent.body.status === 'requires_capture' && charge) return { intent, charge };
  const message =
    `This PaymentIntent could not be captured because it has a status of ${intent.body.status}. Only ` +
    'a PaymentIntent with one of the following statuses may be captured: requires_capture.';
  throw unexpectedState(message, intent.body);
}

/** Zero gives the rest back, after something was captured. */
function checkAmount({ intent: { body } }: Held, { amount, final }: Capture): void {
  const least = final && body.amount_received > 0 ? 0 : 1;
  if (amount < least)
    throw invalid(`This value must be greater than or equal to ${least}.`, {
      param: 'amount_to_capture',
      code: 'parameter_invalid_integer',
    });
  if (amount <= body.amount_capturable) return;
  const message =
    'The provided capture amount is greater than the remaining amount that can be captured on this PaymentIntent.';
  throw invalidState(message, { code: 'amount_too_large', param: 'amount_to_capture' });
}

/** Only a charge that was made for several captures takes one that is not the last, and only a part of the rest. */
function checkFinality({ intent, charge }: Held, { amount, final }: Capture): void {
  if (final) return;
  if (!isMulticapture(charge))
    throw invalidState('Multiple captures are not available for this PaymentIntent.', { param: 'final_capture' });
  if (amount === intent.body.amount_capturable)
    throw invalidState('`final_capture` cannot be false when the full remaining amount is captured.', {
      param: 'final_capture',
    });
}

function captureIntent({ input, id, call }: ApiRequest, work: UnitOfWork): PaymentIntent {
  const held = heldIntent(work, id);
  const final = textAt(input, 'final_capture') !== 'false';
  const capture = { amount: integerAt(input, 'amount_to_capture') ?? held.intent.body.amount_capturable, final };
  checkAmount(held, capture);
  checkFinality(held, capture);
  const behaviour = call.scenario?.behaviour;
  if (behaviour?.kind === 'decline') {
    const decline = declineFor(behaviour.code);
    throw cardDeclined({ ...codeWithDocs(decline.code), ...decline, type: 'card_error' }, held.intent.body);
  }
  const metadata = { ...held.intent.body.metadata, ...metadataOf(input) };
  return take(work, { ...held, intent: changeIntent(work, held.intent, { metadata }) }, capture).body;
}

function take(work: UnitOfWork, { intent, charge }: Held, { amount, final }: Capture): StoredIntent {
  const received = intent.body.amount_received + amount;
  const captured = changeCharge(work, charge, {
    amount_captured: received,
    captured: true,
    balance_transaction: newStripeId('txn'),
  });
  const after = changeIntent(work, intent, {
    amount_capturable: final ? 0 : intent.body.amount_capturable - amount,
    amount_received: received,
    ...(final && { status: 'succeeded' }),
  });
  if (amount > 0)
    work.recordCapture({ hold: intent.id, id: charge.id, amount: toIsoUnits(amount, intent.body.currency) });
  if (final) work.recordRelease(intent.id);
  announce(work, final ? 'charge.captured' : 'charge.updated', captured.body);
  announce(work, final ? 'payment_intent.succeeded' : 'payment_intent.amount_capturable_updated', after.body);
  return after;
}

/** The bank does not reserve the money for longer. What was captured before stays captured. */
export function expireHold(work: UnitOfWork, intent: StoredIntent): void {
  const charge = latestCharge(work, intent);
  if (intent.body.status !== 'requires_capture' || !charge) return;
  work.setWebhookMode(intent.notes.webhook);
  if (intent.body.amount_received > 0) {
    take(work, { intent, charge }, { amount: 0, final: true });
    return;
  }
  announce(work, 'charge.expired', charge.body);
  cancel(work, intent, 'expired');
}

export const captureRoutes = [
  apiRoute('POST', '/v1/payment_intents/{id}/capture', 'capture', {
    responseType: 'payment_intent',
    shape: CAPTURE_INTENT,
    run: captureIntent,
  }),
];
