// The same with Express.
import express from 'express';
import { WebhookVerificationError, webhooks } from 'payfork';
import { handleEvent } from './handle-event.js';

const { SIGNING_SECRET = '', PORT = '8080' } = process.env;
const app = express();

// `raw` keeps the bytes as they came. With `express.json()` before it the signature would be lost.
app.post('/', express.raw({ type: '*/*', limit: '1mb' }), async (request, response) => {
  await handleEvent(await webhooks.verify(request.body, request.headers, SIGNING_SECRET));
  response.sendStatus(204);
});

// Four parameters tell Express that it handles errors. After a 500 the event comes again.
app.use((error, _request, response, _next) => {
  console.error(error);
  response.sendStatus(error instanceof WebhookVerificationError ? 400 : 500);
});

app.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening at http://127.0.0.1:${PORT}/`));
