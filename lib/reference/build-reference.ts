import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ApiDocument, clientMethods } from '#lib/client/operations.ts';
import type { ApiDescription } from '#lib/reference/api-description.ts';
import { apiOf } from '#lib/reference/api-groups.ts';
import { pageHtml } from '#lib/reference/html/layout.ts';
import { llmsFullText, llmsText } from '#lib/reference/llms.ts';
import { pageMarkdown } from '#lib/reference/markdown.ts';
import { addressOf, type Page, SECTIONS } from '#lib/reference/page.model.ts';
import { apiPages } from '#lib/reference/pages/api-pages.ts';
import { controlPage } from '#lib/reference/pages/control-page.ts';
import { documentPages } from '#lib/reference/pages/document-pages.ts';
import { errorPage } from '#lib/reference/pages/error-page.ts';
import { eventPage } from '#lib/reference/pages/event-page.ts';
import { conventionsPage, startPage } from '#lib/reference/pages/start-page.ts';
import { testTokenPage } from '#lib/reference/pages/test-token-page.ts';
import { type LinkTo, linksFrom } from '#lib/reference/prose.ts';
import { referenceAssets } from '#lib/reference/reference-assets.ts';
import { searchIndex } from '#lib/reference/search-index.ts';
import { joinDocuments } from '#shared/domain/reference/api-documents.rules.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';

const readJson = (name: string) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8'));

/** Every file of the documentation by its name: `errors.html`, `errors.md`, `assets/docs-….js`, `llms.txt`. */
export type ReferenceBuild = ReadonlyMap<string, Buffer>;

/** Makes the documentation in this process, from the committed API documents and the guides of this repository. */
export function buildReference(): ReferenceBuild {
  const pages = allPages(joinDocuments(readJson('openapi.json'), readJson('openapi-dashboard.json')));
  const { script, styles } = referenceAssets();
  const index = searchIndex(pages);
  const search = `search-${sha256Hex(index).slice(0, 8).toUpperCase()}.json`;
  const site = { pages, assets: { script: script.name, styles: styles.name, search } };
  const markdown = pages.map((page) => pageMarkdown(page, linkOf(page, pages)));
  const files: (readonly [string, string | Buffer])[] = [
    ...pages.map((page) => [`${fileName(page)}.html`, pageHtml(page, site, linkOf(page, pages))] as const),
    ...pages.map((page, at) => [`${fileName(page)}.md`, markdown[at] ?? ''] as const),
    ...[script, styles].map(({ name, content }) => [`assets/${name}`, content] as const),
    [`assets/${search}`, index],
    ['llms.txt', llmsText(pages)],
    ['llms-full.txt', llmsFullText(markdown)],
  ];
  return new Map(files.map(([name, content]) => [name, Buffer.from(content)]));
}

const fileName = ({ path }: Page): string => (path === '' ? 'index' : path);

/** In the order of the menu. */
function allPages(document: ApiDescription): readonly Page[] {
  const api = apiOf(document);
  const methods = new Map(
    clientMethods(document as ApiDocument, new Set()).map((method) => [`${method.verb} ${method.path}`, method]),
  );
  const pages = [
    startPage(),
    conventionsPage(document),
    ...documentPages(),
    ...apiPages({ document, api, methods }),
    errorPage(document),
    eventPage(document, api.objects),
    testTokenPage(),
    controlPage(),
  ];
  return pages.toSorted((a, b) => SECTIONS.indexOf(a.section) - SECTIONS.indexOf(b.section));
}

function linkOf({ source = 'docs/none.md' }: Page, pages: readonly Page[]): LinkTo {
  const bySource = pages.flatMap((each) => (each.source ? [[each.source, addressOf(each.path)] as const] : []));
  return linksFrom(source, new Map(bySource));
}
