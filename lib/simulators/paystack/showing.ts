import { HERE } from '#lib/simulators/frame/wire.ts';
import { codeOf } from '#lib/simulators/paystack/authorizations.ts';
import { INTEGRATION, type Refund, type StoredTransaction } from '#lib/simulators/paystack/objects.ts';

const customer = (email: string) => ({
  id: 84_312,
  first_name: null,
  last_name: null,
  email,
  customer_code: 'CUS_hcekca0j0bbg2m4',
  phone: null,
  metadata: null,
  risk_action: 'default',
  international_format_phone: null,
});

/** The first payment leaves a code to charge again by. Only a card's is good for that. */
const authorization = (number: number, last4: string, channel: string) => ({
  authorization_code: codeOf(number),
  bin: '408408',
  last4,
  exp_month: '12',
  exp_year: '2030',
  channel,
  card_type: 'visa',
  bank: 'TEST BANK',
  country_code: 'NG',
  brand: 'visa',
  reusable: channel === 'card',
  signature: 'SIG_uSYN4fv1adlAuoij8QXh',
  account_name: null,
});

/** A transaction as verification and events show it. */
export function shownTransaction({ body, notes }: StoredTransaction): object {
  const { email, attempts, ...rest } = body;
  return {
    ...rest,
    receipt_number: null,
    ip_address: '203.0.113.7',
    log: {
      start_time: 0,
      time_spent: 1,
      attempts,
      errors: body.status === 'failed' ? 1 : 0,
      success: body.status === 'success',
      mobile: false,
      input: [],
      history: [],
    },
    fees_split: null,
    authorization: body.status === 'success' ? authorization(body.id, notes.card.last4, body.channel) : {},
    customer: customer(email),
    plan: null,
    split: {},
    order_id: null,
    paidAt: body.paid_at,
    createdAt: body.created_at,
    pos_transaction_data: null,
    source: null,
    fees_breakdown: null,
    connect: null,
    transaction_date: body.created_at,
    plan_object: {},
    subaccount: {},
  };
}

/** A charge as the charge API shows it: the transaction once that is decided, else the step it stands at. */
export function shownCharge(stored: StoredTransaction): object {
  const { body, notes } = stored;
  const [step] = notes.steps;
  if (body.status === 'success' || body.status === 'failed' || body.status === 'reversed')
    return shownTransaction(stored);
  if (step === undefined) return { ...shownTransaction(stored), status: 'pending' };
  return {
    reference: body.reference,
    status: step,
    ...(step === 'open_url' && { url: `${HERE}/paystack/3ds/${notes.accessCode}` }),
    ...notes.shown,
  };
}

export function shownRefund({ email, ...refund }: Refund): object {
  return {
    ...refund,
    dispute: null,
    settlement: null,
    refunded_at: null,
    deducted_amount: refund.amount,
    fully_deducted: 1,
    bank_reference: null,
    reason: 'PARTIAL',
    customer: customer(email),
    refund_type: 'partial',
    transaction_amount: refund.amount,
    initiated_by: refund.refunded_by,
    refund_channel: 'card',
    session_id: null,
    collect_account_number: false,
  };
}

/** The event names the transaction and writes the amount as text; the refund's own number is not in it. */
export const shownRefundEvent = ({
  status,
  transaction_reference,
  amount,
  currency,
  email,
  domain,
}: Refund): object => ({
  status,
  transaction_reference,
  refund_reference: null,
  amount: String(amount),
  currency,
  processor: 'instant-transfer',
  customer: { first_name: null, last_name: null, email },
  integration: INTEGRATION,
  domain,
});
