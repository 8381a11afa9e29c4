// The same with Hono, for Cloudflare Workers, Deno and Bun: `bun hono.js`, or `deno serve hono.js`.
import { Hono } from 'hono';
import { env } from 'hono/adapter';
import { bodyLimit } from 'hono/body-limit';
import { WebhookVerificationError, webhooks } from 'payfork';
import { handleEvent } from './handle-event.js';

const app = new Hono();

app.post('/', bodyLimit({ maxSize: 1_000_000 }), async (context) => {
  const { SIGNING_SECRET } = env(context);
  // The bytes as they came: `context.req.json()` would lose the signature.
  const bytes = await context.req.arrayBuffer();
  await handleEvent(await webhooks.verify(bytes, context.req.raw.headers, String(SIGNING_SECRET)));
  return context.body(null, 204);
});

// After a 500 the event comes again.
app.onError((error, context) => {
  console.error(error);
  return context.body(null, error instanceof WebhookVerificationError ? 400 : 500);
});

export default app;
