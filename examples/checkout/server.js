// The shop's server: makes the order's payment with the secret key, which never reaches the page.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Payfork } from 'payfork';

const { PAYFORK_URL = 'http://127.0.0.1:4000', PAYFORK_KEY = '', PAYFORK_PUBLIC_KEY, PORT = '3000' } = process.env;
const SHOP = `http://127.0.0.1:${PORT}`;
const payfork = new Payfork({ baseUrl: PAYFORK_URL, key: PAYFORK_KEY });

/** The server says the price: a page can be changed by whoever looks at it. */
const CHAIR = { amount: 4900, currency: 'EUR', description: 'Chair' };
const METHOD = { type: 'card', return_url: `${SHOP}/thanks` };

const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8' };
/** A shop with a bundler imports the client in its own script, and has no need to serve these files. */
const CLIENT = new URL('.', import.meta.resolve('payfork'));

async function createOrder() {
  const order = randomUUID();
  // The order's id is the key: if this is sent twice, there is still one payment.
  const input = { ...CHAIR, payment_method: METHOD, metadata: { order } };
  const intent = await payfork.payments.createIntent(input, { idempotencyKey: order });
  return { api: PAYFORK_URL, publicKey: PAYFORK_PUBLIC_KEY, id: intent.id, clientSecret: intent.client_secret };
}

/** What the browser says about the payment proves nothing, so the server asks. It ships when a webhook comes. */
async function thanks(id) {
  const { status, amount, currency } = await payfork.payments.get(id);
  const price = new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount / 100);
  return `<!doctype html><title>Chair</title><h1>Payment ${status}</h1><p>${price}</p><a href="/">Back</a>`;
}

async function respond(request, response) {
  const { method, url = '/' } = request;
  const { pathname, searchParams } = new URL(url, SHOP);
  const send = (type, body) => response.writeHead(200, { 'content-type': type }).end(body);
  if (method === 'POST' && pathname === '/orders') return send('application/json', JSON.stringify(await createOrder()));
  if (pathname === '/thanks') return send(TYPES.html, await thanks(searchParams.get('payment_id')));
  if (pathname === '/') return send(TYPES.html, await readFile(new URL('page.html', import.meta.url)));
  if (pathname === '/page.js') return send(TYPES.js, await readFile(new URL('page.js', import.meta.url)));
  const [, file] = /^\/payfork\/([\w/.-]+\.js)$/.exec(pathname) ?? [];
  if (file && !file.includes('..')) return send(TYPES.js, await readFile(new URL(file, CLIENT)));
  return response.writeHead(404).end();
}

createServer((request, response) =>
  respond(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  }),
).listen(Number(PORT), '127.0.0.1', () => console.log(`The shop is open at ${SHOP}`));
