// The page: confirms the payment with the public key, which can do nothing else.
import { isPayforkError, Payfork } from 'payfork';

const form = document.querySelector('form');
const token = form.querySelector('select');
const button = form.querySelector('button');
const message = form.querySelector('output');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  message.value = 'One moment …';
  try {
    message.value = await pay(token.value);
  } catch (error) {
    if (!isPayforkError(error)) throw error;
    message.value = `${error.message} (${error.requestId})`;
  } finally {
    button.disabled = false;
  }
});

/** Leaves the page, or returns what the customer should know. */
async function pay(token) {
  const { api, publicKey, id, clientSecret } = await (await fetch('/orders', { method: 'POST' })).json();
  const payfork = new Payfork({ baseUrl: api, key: publicKey });
  const payment = await payfork.payments.confirmIntent(id, {
    client_secret: clientSecret,
    payment_method: { type: 'card', token },
  });
  if (payment.status === 'failed') return `The payment failed: ${payment.failure?.message}`;
  // 3-D Secure, or the provider's own page, from where the customer comes back to the intent's `return_url`.
  const { next_action: next } = payment;
  location.assign(next?.type === 'redirect' ? next.url : `/thanks?payment_id=${payment.id}`);
  return 'One moment …';
}
