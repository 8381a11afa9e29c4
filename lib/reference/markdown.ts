import type { Field } from '#lib/reference/field-tree.ts';
import {
  addressOf,
  type Block,
  type Card,
  type Entry,
  type FieldsBlock,
  type Page,
  type Sample,
  type TableRow,
} from '#lib/reference/page.model.ts';
import { type LinkTo, linkedMarkdown } from '#lib/reference/prose.ts';
import { PAGE_PLACES } from '#shared/domain/reference/page-places.catalog.ts';

/** A page as Markdown, for programs that read. Its links lead to the Markdown of other pages. */
export function pageMarkdown(page: Page, linkTo: LinkTo): string {
  const blocks = page.blocks.map((block) => blockMarkdown(block));
  const text = `# ${page.title}\n\n${page.summary}\n\n${blocks.join('\n\n')}`;
  return `${tidied(linkedMarkdown(text, (target) => absolute(linkTo(target))))}\n`;
}

const tidied = (text: string): string => text.replaceAll(/\n{3,}/g, '\n\n').trim();

/** `/docs/errors#x` is `<address>/docs/errors.md#x`. */
function absolute(target: string | undefined): string | undefined {
  if (target === undefined || !/^\/docs(?=[/#]|$)/.test(target)) return target;
  const [path = '', anchor] = target.split(/#/);
  const file = path === '/docs' ? '/docs/index' : path;
  return `${PAGE_PLACES.api}${file}.md${anchor === undefined ? '' : `#${anchor}`}`;
}

type FieldsPart = Omit<FieldsBlock, 'kind'>;

function blockMarkdown(block: Block): string {
  switch (block.kind) {
    case 'prose':
      return block.markdown.trim();
    case 'label':
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`;
    case 'fields':
      return fieldsMarkdown(block);
    case 'samples':
      return block.samples.map((sample) => sampleMarkdown(block.title, sample)).join('\n\n');
    case 'table':
      return tableMarkdown(block.head, block.rows);
    case 'cards':
      return block.cards.map(cardMarkdown).join('\n');
    case 'entry':
      return entryMarkdown(block);
  }
}

const cardMarkdown = ({ title, text, path }: Card): string => `- [${title}](${addressOf(path)}): ${text}`;

const sampleMarkdown = (title: string, { language, label, code }: Sample): string =>
  `${title}${label === '' ? '' : ` (${label})`}:\n\n\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;

/** A bar within a cell would end it. */
const cellText = (cell: string): string => cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
const rowMarkdown = (cells: readonly string[]): string => `| ${cells.map(cellText).join(' | ')} |`;
const tableMarkdown = (head: readonly string[], rows: readonly TableRow[]): string =>
  [rowMarkdown(head), `|${head.map(() => '---|').join('')}`, ...rows.map(({ cells }) => rowMarkdown(cells))].join('\n');

function entryMarkdown({ title, code, level = 2, isDeprecated, blocks, samples }: Entry): string {
  const parts = [
    `${'#'.repeat(level)} ${title}${isDeprecated ? ' (old spelling)' : ''}`,
    ...(code === undefined ? [] : [`\`${code}\``]),
    ...blocks.map(blockMarkdown),
    ...samples.map(blockMarkdown),
  ];
  return parts.join('\n\n');
}

function fieldsMarkdown({ fields, variants = [], isReply }: FieldsPart, indent = ''): string {
  const forms = variants.map(({ title, fields: own }) =>
    `${indent}- Form \`${title}\`\n${fieldsMarkdown({ fields: own, isReply }, `${indent}  `)}`.trimEnd(),
  );
  return [...fields.map((field) => fieldMarkdown(field, isReply, indent)), ...forms].join('\n');
}

function fieldMarkdown(field: Field, isReply: FieldsPart['isReply'], indent: string): string {
  const { name, values, fields, variants } = field;
  const description = field.description.replaceAll(/\s*\n\s*/g, ' ');
  const words = values.length > 0 ? ` One of ${values.map((value) => `\`${value}\``).join(', ')}.` : '';
  const line = `${indent}- \`${name}\` (${notesOf(field, isReply).join(', ')}) ${description}${words}`.trimEnd();
  const below = fieldsMarkdown({ fields, variants, isReply }, `${indent}  `);
  return below === '' ? line : `${line}\n${below}`;
}

const notesOf = (field: Field, isReply: FieldsPart['isReply']): readonly string[] => [
  field.object === undefined ? field.type : `${field.type}: [${field.object.name}](${field.object.address})`,
  ...(field.isRequired && !isReply ? ['required'] : []),
  ...(!field.isRequired && isReply ? ['may be missing'] : []),
  ...(field.isDeprecated ? ['deprecated'] : []),
  ...field.limits,
];
