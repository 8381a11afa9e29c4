import { codeBox } from '#lib/reference/html/code-box.ts';
import { fieldsHtml } from '#lib/reference/html/fields.ts';
import {
  addressOf,
  type Block,
  type Card,
  type Entry,
  type FieldsBlock,
  type Sample,
  type TableRow,
} from '#lib/reference/page.model.ts';
import { anchorOf, inlineHtml, type LinkTo, proseHtml, scrollingTable } from '#lib/reference/prose.ts';
import { type Html, html } from '#shared/http/html.ts';

export const blocksHtml = (blocks: readonly Block[], linkTo?: LinkTo): readonly Html[] =>
  blocks.map((block) => blockHtml(block, linkTo));

function blockHtml(block: Block, linkTo: LinkTo | undefined): Html {
  switch (block.kind) {
    case 'prose':
      return proseHtml(block.markdown, linkTo);
    case 'heading':
      return headingHtml(block);
    case 'label':
      return html`<h${block.level} class="label">${block.text}</h${block.level}>`;
    case 'fields':
      return block.foldedUnder === undefined ? fieldsHtml(block) : foldedHtml(block.foldedUnder, block);
    case 'samples':
      return samplesHtml(block.title, block.samples);
    case 'table':
      return tableHtml(block.head, block.rows);
    case 'cards':
      return html`<ul class="cards">${block.cards.map(cardHtml)}</ul>`;
    case 'entry':
      return entryHtml(block);
  }
}

const foldedHtml = (title: string, block: FieldsBlock): Html =>
  html`<details class="children"><summary>${title}</summary>${fieldsHtml(block)}</details>`;

type Heading = Extract<Block, { readonly kind: 'heading' }>;
function headingHtml({ level, text, id = anchorOf(text) }: Heading): Html {
  const link = html`<a class="anchor" href="#${id}">${text}</a>`;
  return html`<h${level} id="${id}">${link}</h${level}>`;
}

const cardHtml = ({ title, text, path }: Card): Html =>
  html`<li><a href="${addressOf(path)}"><strong>${title}</strong><span>${text}</span></a></li>`;

function tableHtml(head: readonly string[], rows: readonly TableRow[]): Html {
  const body = rows.map(({ id, cells }) => {
    const columns = cells.map((cell) => html`<td>${inlineHtml(cell)}</td>`);
    return id === undefined ? html`<tr>${columns}</tr>` : html`<tr id="${id}">${columns}</tr>`;
  });
  return scrollingTable(
    html`<thead><tr>${head.map((cell) => html`<th>${cell}</th>`)}</tr></thead><tbody>${body}</tbody>`,
  );
}

/** Without a script all languages stand below each other; the script makes them tabs. */
const samplesHtml = (title: string, samples: readonly Sample[]): Html =>
  html`<div class="samples" data-title="${title}"><p class="samples-title">${title}</p>${samples.map(
    ({ language, label, code }) =>
      html`<div class="sample" data-label="${label}">${samples.length > 1 ? html`<p class="sample-label">${label}</p>` : ''}${codeBox(language, code)}</div>`,
  )}</div>
`;

/** `POST /v1/payments`: the method in its colour. */
function endpointHtml(code: string): Html {
  const [, method, path = ''] = /^(GET|POST|PATCH|PUT|DELETE) (.+)$/.exec(code) ?? [];
  if (method === undefined) return html`<code>${code}</code>`;
  return html`<span class="endpoint"><span class="method method-${method.toLowerCase()}">${method}</span> <code>${path}</code></span>`;
}

function entryHtml({ id, title, code, isCode, level = 2, isDeprecated, blocks, samples }: Entry): Html {
  const name = isCode ? endpointHtml(title) : title;
  return html`<section class="entry" id="${id}" aria-labelledby="${id}--title">
<div class="entry-text"><h${level} id="${id}--title"><a class="anchor" href="#${id}">${name}</a>${
    isDeprecated && html` <span class="mark">old spelling</span>`
  }</h${level}>
${code !== undefined && html`<p class="entry-code">${endpointHtml(code)}</p>`}
${blocksHtml(blocks)}</div>
${samples.length > 0 && html`<div class="entry-samples">${blocksHtml(samples)}</div>`}
</section>
`;
}
