import { contentsOf, firstSentence } from '#lib/reference/contents.ts';
import { blocksHtml } from '#lib/reference/html/blocks.ts';
import { keyDialog, searchDialog } from '#lib/reference/html/dialogs.ts';
import { addressOf, type Page, SECTIONS } from '#lib/reference/page.model.ts';
import type { LinkTo } from '#lib/reference/prose.ts';
import { inlineHtml } from '#lib/reference/prose.ts';
import { PAGE_PLACES } from '#shared/domain/reference/page-places.catalog.ts';
import { type Html, html } from '#shared/http/html.ts';

/** The names of the files that every page loads. */
type AssetNames = { readonly script: string; readonly styles: string; readonly search: string };

export type Site = { readonly pages: readonly Page[]; readonly assets: AssetNames };

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230b57c4'/%3E%3C/svg%3E";

const assetAddress = (name: string): string => `/docs/assets/${name}`;
export const markdownAddress = (path: string): string => `/docs/${path === '' ? 'index' : path}.md`;

/** A whole page. Without a script it can be read, and its menu works; the script adds search, tabs and the key. */
export function pageHtml(page: Page, site: Site, linkTo: LinkTo): string {
  const title = page.path === '' ? 'Payfork documentation' : `${page.title} – Payfork documentation`;
  const hasSamples = page.blocks.some((block) => block.kind === 'entry' && block.samples.length > 0);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${firstSentence(page.summary)}">
<meta name="payfork-stage" content="${PAGE_PLACES.stage}">
<meta name="payfork-control" content="${PAGE_PLACES.control}">
<meta name="payfork-search" content="${assetAddress(site.assets.search)}">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<link rel="alternate" type="text/markdown" href="${markdownAddress(page.path)}">
<link rel="stylesheet" href="${assetAddress(site.assets.styles)}">
<script type="module" src="${assetAddress(site.assets.script)}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${headerHtml()}
<div class="frame">
${menuHtml(page, site.pages)}
<main id="content" tabindex="-1"${hasSamples && html` class="wide"`}>
<p class="section-name">${page.section}</p>
<h1>${page.title}</h1>
<p class="summary">${inlineHtml(page.summary, linkTo)}</p>
${contentsHtml(page)}
${blocksHtml(page.blocks, linkTo)}
${footerHtml(page, site.pages)}
</main>
</div>
${searchDialog()}
${keyDialog()}
</body>
</html>
`.toString();
}

const headerHtml = (): Html => html`<header class="bar">
<a class="menu-link" href="#menu">Menu</a>
<a class="brand" href="/docs">Payfork <span>docs</span></a>
<div class="bar-tools">
<button type="button" class="tool search-button scripted" data-opens="search"><span>Search</span> <kbd>/</kbd></button>
<button type="button" class="tool key-button scripted" data-opens="reader-key">Your key</button>
<button type="button" class="tool scripted" data-theme-button>Theme</button>
<a class="tool wide-only" href="/dashboard">Dashboard</a>
</div>
</header>`;

function menuHtml(page: Page, pages: readonly Page[]): Html {
  const sections = SECTIONS.map((section) => {
    const own = pages.filter((each) => each.section === section);
    return html`<li><p class="menu-section">${section}</p><ul>${own.map((each) => menuLine(each, page))}</ul></li>
`;
  });
  return html`<nav id="menu" aria-label="Pages"><a class="menu-close" href="#content">Close the menu</a><ul>${sections}</ul></nav>`;
}

const menuLine = (each: Page, page: Page): Html =>
  each.path === page.path
    ? html`<li><a href="${addressOf(each.path)}" aria-current="page">${each.title}</a></li>`
    : html`<li><a href="${addressOf(each.path)}">${each.title}</a></li>`;

/** Shorter pages need no list of what stands on them. */
const MIN_CONTENTS = 3;

function contentsHtml(page: Page): Html | false {
  const contents = contentsOf(page);
  if (contents.length < MIN_CONTENTS || page.path === '') return false;
  return html`<details class="contents"><summary>On this page</summary><ul>${contents.map(
    ({ id, title, code }) =>
      html`<li><a href="#${id}">${title}</a>${code !== undefined && code !== title && html` <code>${code}</code>`}</li>`,
  )}</ul></details>`;
}

function footerHtml(page: Page, pages: readonly Page[]): Html {
  const index = pages.findIndex(({ path }) => path === page.path);
  const [before, after] = [pages[index - 1], pages[index + 1]];
  return html`<footer><div class="neighbours">${
    before && html`<a rel="prev" href="${addressOf(before.path)}"><span>Before</span>${before.title}</a>`
  }${after && html`<a rel="next" href="${addressOf(after.path)}"><span>Next</span>${after.title}</a>`}</div>
<p><a href="${markdownAddress(page.path)}">This page as Markdown</a> <a href="/llms.txt">llms.txt</a> <a href="/openapi.json">openapi.json</a> <a href="/openapi-dashboard.json">openapi-dashboard.json</a></p></footer>`;
}
