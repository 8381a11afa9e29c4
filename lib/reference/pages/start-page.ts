import type { ApiDescription } from '#lib/reference/api-description.ts';
import { type Block, type Card, type Page, SAMPLE_KEY } from '#lib/reference/page.model.ts';
import { PAGE_PLACES } from '#shared/domain/reference/page-places.catalog.ts';

const GUIDES: readonly Card[] = [
  {
    title: 'Your first payment',
    path: 'guides/first-payment',
    text: 'Create a payment, decline one, and pay on a page.',
  },
  { title: 'Webhooks', path: 'guides/webhooks', text: 'Receive signed events, verify and replay them.' },
  {
    title: 'Subscriptions',
    path: 'guides/subscriptions',
    text: 'Charge a customer each period, and retry what fails.',
  },
  { title: 'Failover', path: 'guides/failover', text: 'Go on with another provider when one is down.' },
  { title: 'Testing failures', path: 'guides/testing-failures', text: 'Make providers decline, stay silent or lie.' },
  { title: 'Agents', path: 'guides/agents', text: 'Let an assistant act, and ask a person above your limit.' },
  { title: 'Going live', path: 'guides/going-live', text: 'What to check before real money moves.' },
];

const LOOK_UP: readonly Card[] = [
  { title: 'Payments', path: 'api/payments', text: 'Create, confirm, capture, refund, list.' },
  { title: 'Errors', path: 'errors', text: 'Each code with its cause and its remedy.' },
  { title: 'Events', path: 'events', text: 'What is sent to your server.' },
  { title: 'Test tokens', path: 'test-tokens', text: 'Payment methods for every outcome.' },
  { title: 'TypeScript client', path: 'client', text: 'All endpoints with types, and safe repeats.' },
  { title: 'Control server', path: 'control-server', text: 'Clock, faults and mailbox of the local host.' },
];

const BODY = { amount: 4900, currency: 'EUR', payment_method: { type: 'card', token: 'ok' } };

const FIRST: Block = {
  kind: 'samples',
  title: 'A payment',
  samples: [
    {
      language: 'sh',
      label: 'curl',
      code: `curl "${PAGE_PLACES.api}/v1/payments" \\
  -H "Authorization: Bearer ${SAMPLE_KEY}" \\
  -H "Idempotency-Key: order-1001" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(BODY)}'`,
    },
    {
      language: 'ts',
      label: 'TypeScript',
      code: `import { Payfork } from 'payfork';

const payfork = new Payfork({
  baseUrl: '${PAGE_PLACES.api}',
  key: '${SAMPLE_KEY}',
});
const payment = await payfork.payments.create(
  { amount: 4900, currency: 'EUR', payment_method: { type: 'card', token: 'ok' } },
  { idempotencyKey: 'order-1001' },
);
console.log(payment.status);`,
    },
  ],
};

const EXAMPLES = `Examples with a key work as you copy them, once it is yours (“Your key”, at the top), if they have no other
placeholder. In place of \`pay_YOUR_ID\`, and of anything else with \`YOUR_\`, write a value of your own.
What reads a thing needs it to be there: \`GET /v1/webhooks/config\` is 404 until webhooks are configured.`;

const AGENTS = `Every page is also Markdown: add \`.md\` to its address, or ask for it with \`Accept: text/markdown\`.
[llms.txt](/llms.txt) lists the pages, [llms-full.txt](/llms-full.txt) holds all of them, and
[openapi.json](/openapi.json) and [openapi-dashboard.json](/openapi-dashboard.json) are the documents that the
reference is made from: what an integration is built on, and what people do in the dashboard.`;

export const startPage = (): Page => ({
  path: '',
  title: 'Payfork documentation',
  summary:
    'One API for payments through your own accounts at eight providers. It routes each payment, goes on with another ' +
    'provider when one is down, charges at most once, and tells your server what happened.',
  section: 'Start',
  blocks: [
    FIRST,
    { kind: 'prose', markdown: EXAMPLES },
    { kind: 'heading', level: 2, text: 'Guides' },
    { kind: 'cards', cards: GUIDES },
    { kind: 'heading', level: 2, text: 'Look up' },
    { kind: 'cards', cards: LOOK_UP },
    { kind: 'heading', level: 2, text: 'For programs that read' },
    { kind: 'prose', markdown: AGENTS },
  ],
});

/** What holds for all endpoints. */
export const conventionsPage = ({ info }: ApiDescription): Page => ({
  path: 'conventions',
  title: 'Conventions',
  summary: 'What holds for every endpoint: identifiers, money, errors, idempotency, lists and limits.',
  section: 'API',
  blocks: [{ kind: 'prose', markdown: withHeadings(info.description ?? '') }],
});

/** `**Lists** are …` and `**Idempotency**: the …` begin a part: as headings they can be linked to. */
const withHeadings = (text: string): string =>
  text.replaceAll(
    /^\*\*([^*\n]+?)[.:]?\*\*(:?) *(\S)/gm,
    (_, name: string, colon: string, first: string) =>
      `## ${name}\n\n${colon === '' ? `${name} ${first}` : first.toUpperCase()}`,
  );
