import * as z from 'zod';
import { CONTROL_CALLS, CONTROL_SUBJECTS, type ControlCall } from '#lib/local/control-calls.ts';
import type { ApiDescription, Schema } from '#lib/reference/api-description.ts';
import { type Field, treeOf } from '#lib/reference/field-tree.ts';
import type { Block, Entry, Page } from '#lib/reference/page.model.ts';

const INTRODUCTION = `The [local host](/docs/local-host) has a second server for you and your tests, at the port of the API plus two: 4002 if
you change nothing. It is part of no stage on AWS. It answers programs of this machine, and the pages of the API's own
origin. \`GET /\` lists its calls. Under Lab the dashboard does the same with buttons.

In a shell, \`control\` calls it:

\`\`\`sh
eval "$(curl -sS http://127.0.0.1:4002/shell)"
control POST /clock '{"advance": "1d"}'
\`\`\``;

const CALLS: readonly ControlCall[] = CONTROL_CALLS;
const NO_DOCUMENT: ApiDescription = { info: { title: '', version: '' }, paths: {}, components: {} };

/** Every call of the local host's control server, by what it is about. */
export const controlPage = (): Page => ({
  path: 'control-server',
  title: 'The control server',
  summary: 'Clock, mailbox, webhook receivers, scenarios and faults of the local host, for your tests.',
  section: 'On your machine',
  source: 'lib/reference/pages/control-page.ts',
  blocks: [
    { kind: 'prose', markdown: INTRODUCTION },
    ...Object.entries(CONTROL_SUBJECTS).flatMap(([subject, text]) => [
      { kind: 'heading', level: 2, text: subject } as const,
      { kind: 'prose', markdown: text } as const,
      ...CALLS.filter((call) => call.subject === subject).map(callEntry),
    ]),
  ],
});

/** `POST /psp/scenario` is at `#post-psp-scenario`. */
export const callId = ({ method, path }: Pick<ControlCall, 'method' | 'path'>): string =>
  `${method}${path}`
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .replace(/-$/, '');

function callEntry(call: ControlCall): Entry {
  const { method, path, does, body, fields = {} } = call;
  const query: Field[] = Object.entries(fields).map(([name, words]) => fieldOf(name, words));
  const blocks: Block[] = body ? bodyFields(body, fields) : [{ kind: 'fields', fields: query }];
  const hasFields = Object.keys(fields).length > 0;
  return {
    kind: 'entry',
    id: callId(call),
    title: `${method} ${path}`,
    isCode: true,
    level: 3,
    blocks: [{ kind: 'prose', markdown: does }, ...(hasFields ? [labelOf(body), ...blocks] : [])],
    samples: [{ kind: 'samples', title: 'Call', samples: [{ language: 'sh', label: '', code: commandOf(call) }] }],
  };
}

const labelOf = (body: z.ZodType | undefined): Block => ({ kind: 'label', level: 4, text: body ? 'Body' : 'Query' });

const fieldOf = (name: string, description: string): Field => ({
  name,
  type: 'string',
  isRequired: false,
  isDeprecated: false,
  description,
  limits: [],
  values: [],
  object: undefined,
  fields: [],
  variants: [],
});

/** The same shape that checks the body, in words. */
function bodyFields(body: z.ZodType, words: Readonly<Record<string, string>>): Block[] {
  const schema: Schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema;
  const worded = (field: Field): Field => ({ ...field, description: words[field.name] ?? field.description });
  const { fields, variants } = treeOf(NO_DOCUMENT, schema);
  const forms = variants.map((each) => ({ ...each, fields: each.fields.map(worded) }));
  return [{ kind: 'fields', fields: fields.map(worded), variants: forms }];
}

/** As it is typed in a shell. */
function commandOf({ method, path, body, example }: ControlCall): string {
  const place = path.replace('{name}', 'shop');
  if (path === '/shell') return 'eval "$(curl -sS http://127.0.0.1:4002/shell)"';
  if (!example) return `control ${method} ${place}`;
  if (body) return `control ${method} ${place} '${JSON.stringify(example)}'`;
  const query = Object.entries(example).map(([name, value]) => `${name}=${String(value)}`);
  return `control ${method} "${place}?${query.join('&')}"`;
}
