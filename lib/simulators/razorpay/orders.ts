import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { type Ask, api, collection, find } from '#lib/simulators/razorpay/ask.ts';
import { invalid } from '#lib/simulators/razorpay/errors.ts';
import { checkMoney } from '#lib/simulators/razorpay/money.ts';
import {
  type Capture,
  isOrder,
  type Notes,
  newId,
  type Order,
  paymentsOf,
  receiptPlace,
  type StoredOrder,
  seconds,
} from '#lib/simulators/razorpay/objects.ts';
import {
  type Fields,
  hashIn,
  integerIn,
  notesIn,
  paymentIdIn,
  type Shape,
  textIn,
} from '#lib/simulators/razorpay/validation.ts';

const CREATE: Shape = {
  amount: 'integer',
  currency: 'text',
  receipt: 40,
  unique_receipt: 'boolean',
  notes: 'notes',
  partial_payment: 'boolean',
  payment_capture: 'flag',
  payment: {
    fields: {
      capture: ['automatic', 'manual'],
      capture_options: {
        fields: {
          automatic_expiry_period: 'integer',
          manual_expiry_period: 'integer',
          refund_speed: ['normal', 'optimum'],
        },
      },
    },
  },
};

function captureIn(input: Fields): Capture {
  const payment = hashIn(input, 'payment');
  const options = hashIn(payment, 'capture_options');
  const [auto, manual] = [integerIn(options, 'automatic_expiry_period'), integerIn(options, 'manual_expiry_period')];
  if (auto !== null && auto < 12)
    throw invalid('The automatic expiry period must be at least 12 minutes.', 'automatic_expiry_period');
  if (manual !== null && manual < (auto ?? 12))
    throw invalid('The manual expiry period must be later than the automatic one.', 'manual_expiry_period');
  const byHand =
    textIn(payment, 'capture') === 'manual' || input.payment_capture === false || input.payment_capture === 0;
  return { automatic: !byHand, within: auto === null ? null : auto * 60_000 };
}

type Making = {
  readonly amount: number;
  readonly currency: string;
  readonly receipt: string | null;
  readonly notes: Notes;
  readonly paymentId: string | null;
  readonly capture: Capture;
};

export function newOrder(work: Work, { amount, currency, receipt, notes, paymentId, capture }: Making): StoredOrder {
  const id = newId('order');
  const body: Order = {
    id,
    entity: 'order',
    amount,
    amount_paid: 0,
    amount_due: amount,
    currency,
    receipt,
    offer_id: null,
    status: 'created',
    attempts: 0,
    notes,
    created_at: seconds(work.now),
  };
  const parent = receipt === null ? null : receiptPlace(work.account, receipt);
  return work.objects.put({
    id,
    account: work.account,
    kind: 'order',
    paymentId,
    parent,
    due: null,
    body,
    notes: { capture },
  });
}

const ordersOf = (work: Work, receipt: string): readonly StoredOrder[] =>
  work.objects.childrenOf(receiptPlace(work.account, receipt)).filter(isOrder);

function create({ input }: Ask, work: Work): Order {
  const [amount, currency, receipt] = [
    integerIn(input, 'amount') ?? 0,
    textIn(input, 'currency') ?? '',
    textIn(input, 'receipt'),
  ];
  checkMoney(amount, currency);
  const capture = captureIn(input);
  const [known] = input.unique_receipt === true && receipt !== null ? ordersOf(work, receipt) : [];
  if (known && (known.body.amount !== amount || known.body.currency !== currency))
    throw invalid('Order receipt should be unique.', 'receipt');
  return (
    known ??
    newOrder(work, { amount, currency, receipt, notes: notesIn(input), paymentId: paymentIdIn(input), capture })
  ).body;
}

/** Without a receipt nothing is listed: the dashboard is the place for that. */
function list({ query }: Ask, work: Work): object {
  const receipt = query.get('receipt');
  return collection(receipt === null ? [] : ordersOf(work, receipt).map(({ body }) => body), query);
}

/**
 * An order alone charges nothing, so scenarios for charges wait for its payment; `order` names this call to those that
 * mean it.
 */
export const orderRoutes = [
  api('POST', '/v1/orders', 'order', { shape: CREATE, required: ['amount', 'currency'], run: create }),
  api('GET', '/v1/orders', 'find', { filters: ['receipt', 'count', 'skip'], run: list }),
  api('GET', '/v1/orders/{id}', 'fetch', { run: ({ id }, work) => find(work, id, isOrder).body }),
  api('GET', '/v1/orders/{id}/payments', 'find', {
    run: ({ id, query }, work) =>
      collection(
        paymentsOf(work.objects, find(work, id, isOrder).id).map(({ body }) => body),
        query,
      ),
  }),
];
