import { letters } from '#lib/simulators/frame/letters.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { announce } from '#lib/simulators/stripe/events.ts';
import { type Form, formAt, metadataOf, textAt, textsAt } from '#lib/simulators/stripe/form.ts';
import {
  type IntentNotes,
  newStripeId,
  type PaymentIntent,
  type StoredIntent,
  seconds,
} from '#lib/simulators/stripe/objects.ts';

/** `parent`: the Checkout Session that made it. */
type Making = {
  readonly amount: number;
  readonly currency: string;
  readonly livemode: boolean;
  readonly notes: IntentNotes;
  readonly parent?: string;
};

/** Makes the intent from its creation's parameters, and sends its event. The caller stores it. */
export function newIntent(
  work: Work,
  input: Form,
  { amount, currency, livemode, notes, parent }: Making,
): StoredIntent {
  const id = newStripeId('pi');
  const metadata = metadataOf(input);
  const allowed = textsAt(input, 'allowed_payment_method_types');
  const types = allowed.length > 0 ? allowed : textsAt(input, 'payment_method_types');
  const body: PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: allowed.length > 0 ? allowed : null,
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods:
      types.length > 0
        ? null
        : {
            allow_redirects: textAt(formAt(input, 'automatic_payment_methods'), 'allow_redirects') ?? 'always',
            enabled: true,
          },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: textAt(input, 'capture_method') ?? 'automatic_async',
    client_secret: `${id}_secret_${letters(25)}`,
    confirmation_method: textAt(input, 'confirmation_method') ?? 'automatic',
    created: seconds(work.now),
    currency,
    customer: textAt(input, 'customer'),
    customer_account: null,
    description: textAt(input, 'description'),
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode,
    managed_payments: null,
    metadata,
    next_action: null,
    on_behalf_of: textAt(input, 'on_behalf_of'),
    payment_method: notes.method ? newStripeId('pm') : null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: types.length > 0 ? types : ['card'],
    payment_record: null,
    processing: null,
    receipt_email: textAt(input, 'receipt_email'),
    review: null,
    setup_future_usage: textAt(input, 'setup_future_usage'),
    shipping: null,
    source: null,
    statement_descriptor: textAt(input, 'statement_descriptor'),
    statement_descriptor_suffix: textAt(input, 'statement_descriptor_suffix'),
    status: notes.method ? 'requires_confirmation' : 'requires_payment_method',
    transfer_data: null,
    transfer_group: textAt(input, 'transfer_group'),
  };
  const paymentId = metadata.payment_id ?? null;
  announce(work, 'payment_intent.created', body);
  return {
    id,
    account: work.account,
    kind: 'payment_intent',
    paymentId,
    parent: parent ?? null,
    due: null,
    body,
    notes,
  };
}
