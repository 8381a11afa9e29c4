// A customer pays for the first month, agrees that the card is kept, and is charged each month from then on.
import { randomUUID } from 'node:crypto';
import { Payfork } from 'payfork';

const { PAYFORK_URL = 'http://127.0.0.1:4000', PAYFORK_KEY = '' } = process.env;
const payfork = new Payfork({ baseUrl: PAYFORK_URL, key: PAYFORK_KEY });
const customer = `customer-${randomUUID()}`;
const PLAN = { amount: 1500, currency: 'EUR' };

// 1. The customer is here, and pays. `save` keeps the card for later payments.
const first = await payfork.payments.create({
  ...PLAN,
  customer_id: customer,
  save: true,
  payment_method: { type: 'card', token: 'ok' },
});
const { status, failure, payment_method_id: card } = first;
if (status !== 'succeeded' || !card) throw new Error(`The first payment is ${status}: ${failure?.message}`);
console.log(`${customer} paid ${first.amount} ${first.currency}.`);

// 2. The next months are charged without the customer.
const nextMonth = new Date(first.created_at);
nextMonth.setMonth(nextMonth.getMonth() + 1);
const subscription = await payfork.subscriptions.create({
  ...PLAN,
  customer_id: customer,
  plan_id: 'gold',
  interval: 'monthly',
  start_at: nextMonth.toISOString(),
  payment_method: { id: card },
});
console.log(`Subscription ${subscription.id} is ${subscription.status}. Next charge: ${subscription.next_renewal_at}`);

// 3. What it will charge, and what it has charged so far.
const { periods } = await payfork.subscriptions.getUpcomingPeriods(subscription.id);
for (const { charged_at: at, amount, currency } of periods) console.log(`At ${at}: ${amount} ${currency}`);
for await (const invoice of payfork.invoices.list({ subscription_id: subscription.id }))
  console.log(`Invoice ${invoice.id} is ${invoice.status}.`);

// 4. `node subscribe.js cancel`: the customer leaves, and keeps what is paid until the period ends.
if (process.argv[2] === 'cancel') {
  const { next_renewal_at: end } = await payfork.subscriptions.cancel(subscription.id, { at_period_end: true });
  console.log(`It ends at ${end}.`);
}
