// A webhook endpoint with nothing but Node.js.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { WebhookVerificationError, webhooks } from 'payfork';
import { handleEvent } from './handle-event.js';

const { SIGNING_SECRET = '', PORT = '8080' } = process.env;

createServer(async (request, response) => {
  try {
    // The bytes as they came: a body that was parsed has lost its signature.
    await handleEvent(await webhooks.verify(await buffer(request), request.headers, SIGNING_SECRET));
    response.writeHead(204).end();
  } catch (error) {
    console.error(error);
    // After a 500 the event comes again.
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Listening at http://127.0.0.1:${PORT}/`));
