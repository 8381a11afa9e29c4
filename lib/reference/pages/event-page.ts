import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type ApiDescription,
  type Endpoint,
  endpointsOf,
  resolved,
  type Schema,
} from '#lib/reference/api-description.ts';
import { type Field, type ObjectPlaces, treeOf } from '#lib/reference/field-tree.ts';
import type { Block, Entry, Page } from '#lib/reference/page.model.ts';

/** As a shop received them: `npm run openapi:examples` writes them. A test compares them with the document. */
const EXAMPLES: Readonly<Record<string, unknown>> = JSON.parse(
  readFileSync(fileURLToPath(new URL('../event-examples.json', import.meta.url)), 'utf8'),
);

const INTRODUCTION = `An event is sent to your webhook endpoint by \`POST\`, as JSON, signed. It holds the resource as it was at that
moment. The same event may arrive twice, with the same \`id\`, and events may arrive in another order than they happened.
The guide [webhooks](/docs/guides/webhooks) shows how to receive, verify and replay them.`;

/** Every type of event, with its data. */
export function eventPage(document: ApiDescription, objects: ObjectPlaces): Page {
  const { AnyEvent: all } = document.components.schemas as Readonly<Record<string, Schema>>;
  const types = Object.entries(all?.discriminator?.mapping ?? {});
  return {
    path: 'events',
    title: 'Events',
    summary: 'Each type of event that is sent to your server, with its data.',
    section: 'Look up',
    source: 'lib/reference/pages/event-page.ts',
    blocks: [
      { kind: 'prose', markdown: INTRODUCTION },
      ...types.slice(0, 1).map(([, $ref]) => envelopeEntry(document, { $ref })),
      ...endpointsOf(document, document.webhooks).map(headersEntry),
      ...types.map(([type, $ref]) => eventEntry(document, type, { $ref }, objects)),
    ],
  };
}

/** What all types have beside their data. */
function envelopeEntry(document: ApiDescription, event: Schema): Entry {
  const delivery = { allOf: [event, { $ref: '#/components/schemas/EventDelivery' }] };
  const fields = treeOf(document, delivery).fields.map((field) =>
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

function eventEntry(document: ApiDescription, type: string, event: Schema, objects: ObjectPlaces): Entry {
  const data = treeOf(document, event, objects).fields.find(({ name }) => name === 'data');
  const example = EXAMPLES[type];
  const sample = { language: 'json', label: '', code: JSON.stringify(example, null, 2) } as const;
  return {
    kind: 'entry',
    id: type,
    title: type,
    isCode: true,
    blocks: [...proseOf(resolved(document, event).description ?? ''), ...(data ? dataBlocks(data) : [])],
    samples: example === undefined ? [] : [{ kind: 'samples', title: 'Example', samples: [sample] }],
  };
}

function dataBlocks({ fields, variants, object, description }: Field): readonly Block[] {
  const heading = { kind: 'label', level: 3, text: 'data' } as const;
  if (object) return [heading, ...proseOf(`The object [${object.name}](${object.address}).`)];
  return [heading, ...proseOf(description), { kind: 'fields', fields, variants, isReply: true }];
}

const proseOf = (markdown: string): Block[] => (markdown === '' ? [] : [{ kind: 'prose', markdown }]);
