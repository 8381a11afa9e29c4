import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ApiDescription, type Endpoint, endpointsOf, exampleOf, jsonOf } from '#lib/reference/api-description.ts';
import { type Field, type ObjectPlaces, treeOf } from '#lib/reference/field-tree.ts';
import type { Block, Entry, Page } from '#lib/reference/page.model.ts';

/** As a shop received them. A test compares them with the document. */
const EXAMPLES: Readonly<Record<string, unknown>> = JSON.parse(
  readFileSync(fileURLToPath(new URL('../event-examples.json', import.meta.url)), 'utf8'),
);

const INTRODUCTION = `An event is sent to your webhook endpoint by \`POST\`, as JSON, signed. It holds the resource as it was at that
moment. The same event may arrive twice, with the same \`id\`, and events may arrive in another order than they happened.
The guide [webhooks](/docs/guides/webhooks) shows how to receive, verify and replay them.`;

/** Every type of event, with its data. */
export function eventPage(document: ApiDescription, objects: ObjectPlaces): Page {
  const deliveries = Object.entries(document.webhooks ?? {}).map(([type, item]) => {
    const [delivery] = endpointsOf(document, { [type]: item });
    if (!delivery) throw new Error(`The API document has no delivery of ${type}.`);
    return { type, delivery };
  });
  return {
    path: 'events',
    title: 'Events',
    summary: 'Each type of event that is sent to your server, with its data.',
    section: 'Look up',
    source: 'lib/reference/pages/event-page.ts',
    blocks: [
      { kind: 'prose', markdown: INTRODUCTION },
      ...deliveries.slice(0, 1).flatMap(({ delivery }) => [envelopeEntry(document, delivery), headersEntry(delivery)]),
      ...deliveries.map(({ type, delivery }) => eventEntry(document, type, delivery, objects)),
    ],
  };
}

/** What all types have beside their data. */
function envelopeEntry(document: ApiDescription, { requestBody }: Endpoint): Entry {
  const schema = jsonOf(requestBody)?.schema ?? {};
  const fields = treeOf(document, schema).fields.map((field) =>
    field.name === 'data' ? { ...field, fields: [], variants: [], description: DATA } : field,
  );
  const blocks = [{ kind: 'fields', fields, isReply: true } as const];
  return { kind: 'entry', id: 'event', title: 'An event', blocks, samples: [] };
}

const DATA = 'The resource as it was when the event happened: below, for each type.';

/** The same for every type. */
function headersEntry({ parameters }: Endpoint): Entry {
  const rows = parameters
    .filter((each) => each.in === 'header')
    .map(({ name, description = '' }) => ({ cells: [`\`${name}\``, description] }));
  return {
    kind: 'entry',
    id: 'headers',
    title: 'Headers of a delivery',
    blocks: [{ kind: 'table', head: ['Header', 'Content'], rows }],
    samples: [],
  };
}

function eventEntry(document: ApiDescription, type: string, delivery: Endpoint, objects: ObjectPlaces): Entry {
  const media = jsonOf(delivery.requestBody);
  const data = media?.schema && treeOf(document, media.schema, objects).fields.find(({ name }) => name === 'data');
  const example = exampleOf(document, media) ?? EXAMPLES[type];
  const sample = { language: 'json', label: '', code: JSON.stringify(example, null, 2) } as const;
  return {
    kind: 'entry',
    id: type,
    title: type,
    isCode: true,
    blocks: [...proseOf(delivery.description ?? ''), ...(data ? dataBlocks(data) : [])],
    samples: example === undefined ? [] : [{ kind: 'samples', title: 'Example', samples: [sample] }],
  };
}

function dataBlocks({ fields, variants, object, description }: Field): readonly Block[] {
  const heading = { kind: 'label', level: 3, text: 'data' } as const;
  if (object) return [heading, ...proseOf(`The object [${object.name}](${object.address}).`)];
  return [heading, ...proseOf(description), { kind: 'fields', fields, variants, isReply: true }];
}

const proseOf = (markdown: string): Block[] => (markdown === '' ? [] : [{ kind: 'prose', markdown }]);
