/**
 * Code that verifies an event, to be copied. Each part is run by a test against real deliveries. The check is over the
 * raw bytes, in constant time, and refuses what is older than five minutes: an event that was recorded cannot be sent
 * again later.
 */
export const LIBRARY_SNIPPET = `// npm install standardwebhooks
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.SIGNING_SECRET);

createServer(async (request, response) => {
  const rawBody = await text(request);
  try {
    const event = webhook.verify(rawBody, request.headers);
    console.log(event.type, event.id);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(8080);
`;

export const NODE_SNIPPET = `import { createHmac, timingSafeEqual } from 'node:crypto';

const FIVE_MINUTES = 300;

/** rawBody: the text of the body as it arrived, before any JSON.parse. Returns the event, or throws. */
export function verify(rawBody, headers, secret) {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= FIVE_MINUTES)) throw new Error('The timestamp is too old.');
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${rawBody}\`).digest();
  // While a secret is replaced there are two signatures, separated by a space.
  const isValid = (headers['webhook-signature'] ?? '').split(' ').some((each) => {
    const given = Buffer.from(each.replace('v1,', ''), 'base64');
    return each.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isValid) throw new Error('The signature is wrong.');
  return JSON.parse(rawBody);
}
`;

/** Signs a test event as Payfork does, and sends it to a server on one's own computer. */
export const CURL_SNIPPET = `URL=http://127.0.0.1:8080/
ID=evt_test
TIMESTAMP=$(date +%s)
BODY='{"id":"evt_test","type":"service.webhook.test","data":{"message":"Hello"}}'
KEY=$(printf %s "\${SIGNING_SECRET#whsec_}" | openssl base64 -d -A | od -An -tx1 | tr -d ' \\n')
SIGNATURE=$(printf %s "$ID.$TIMESTAMP.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A)
curl -i "$URL" \\
  -H 'content-type: application/json' \\
  -H "webhook-id: $ID" -H "webhook-timestamp: $TIMESTAMP" -H "webhook-signature: v1,$SIGNATURE" \\
  -d "$BODY"
`;
