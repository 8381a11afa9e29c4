import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { invalid } from '#lib/simulators/razorpay/errors.ts';
import { checkMoney } from '#lib/simulators/razorpay/money.ts';
import {
  type CaptureSetting,
  isOrder,
  type Notes,
  newId,
  type Order,
  paymentsOf,
  receiptKey,
  type StoredOrder,
  seconds,
} from '#lib/simulators/razorpay/objects.ts';
import {
  type ApiRequest,
  apiRoute,
  type BodyShape,
  collection,
  type Fields,
  findObject,
  integerIn,
  notesIn,
  objectIn,
  paymentIdIn,
  textIn,
} from '#lib/simulators/razorpay/requests.ts';
import { DAY, MINUTE } from '#shared/kernel/clock.ts';

const CREATE_ORDER: BodyShape = {
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

const MAX_HOLD_MINUTES = (5 * DAY) / MINUTE;

function captureIn(input: Fields): CaptureSetting {
  const payment = objectIn(input, 'payment');
  const options = objectIn(payment, 'capture_options');
  const [auto, manual] = [integerIn(options, 'automatic_expiry_period'), integerIn(options, 'manual_expiry_period')];
  if (auto !== null && auto < 12)
    throw invalid('The automatic expiry period must be at least 12 minutes.', 'automatic_expiry_period');
  if (manual !== null && manual < (auto ?? 12))
    throw invalid('The manual expiry period must be later than the automatic one.', 'manual_expiry_period');
  const manualCapture =
    textIn(payment, 'capture') === 'manual' || input.payment_capture === false || input.payment_capture === 0;
  if (manual !== null && manual > MAX_HOLD_MINUTES)
    throw invalid(`The manual expiry period may not be greater than ${MAX_HOLD_MINUTES}.`, 'manual_expiry_period');
  return {
    automatic: !manualCapture,
    within: auto === null ? null : auto * MINUTE,
    ...(manual !== null && { life: manual * MINUTE }),
  };
}

type OrderInput = {
  readonly amount: number;
  readonly currency: string;
  readonly receipt: string | null;
  readonly notes: Notes;
  readonly paymentId: string | null;
  readonly capture: CaptureSetting;
};

export function newOrder(
  work: UnitOfWork,
  { amount, currency, receipt, notes, paymentId, capture }: OrderInput,
): StoredOrder {
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
  const parent = receipt === null ? null : receiptKey(work.account, receipt);
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

const ordersOf = (work: UnitOfWork, receipt: string): readonly StoredOrder[] =>
  work.objects.childrenOf(receiptKey(work.account, receipt)).filter(isOrder);

function createOrder({ input }: ApiRequest, work: UnitOfWork): Order {
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

/** Creating an order charges nothing, so its operation is `order`: scenarios for charges wait for the payment. */
export const orderRoutes = [
  apiRoute('POST', '/v1/orders', 'order', { shape: CREATE_ORDER, required: ['amount', 'currency'], run: createOrder }),
  apiRoute('GET', '/v1/orders/{id}', 'fetch', { run: ({ id }, work) => findObject(work, id, isOrder).body }),
  apiRoute('GET', '/v1/orders/{id}/payments', 'find', {
    run: ({ id, query }, work) =>
      collection(
        paymentsOf(work.objects, findObject(work, id, isOrder).id).map(({ body }) => body),
        query,
      ),
  }),
];
