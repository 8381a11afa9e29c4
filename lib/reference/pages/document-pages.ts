import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page, Section } from '#lib/reference/page.model.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A document of this repository as a page: its first heading is the title, its first paragraph the summary. */
type DocumentPage = {
  readonly source: string;
  readonly path: string;
  readonly section: Section;
  readonly title?: string;
  readonly summary?: string;
};

const guide = (name: string): DocumentPage => ({
  source: `docs/guides/${name}.md`,
  path: `guides/${name}`,
  section: 'Guides',
});

/** In the order of the menu. A new line is a new page. */
const DOCUMENT_PAGES: readonly DocumentPage[] = [
  guide('first-payment'),
  guide('subscriptions'),
  { source: 'docs/webhooks.md', path: 'guides/webhooks', section: 'Guides', title: 'Webhooks' },
  guide('failover'),
  guide('testing-failures'),
  guide('going-live'),
  guide('agents'),
  { source: 'docs/http.md', path: 'http', section: 'In depth' },
  { source: 'docs/captures.md', path: 'captures', section: 'In depth' },
  { source: 'docs/payment-details.md', path: 'payment-details', section: 'In depth' },
  { source: 'docs/payment-methods.md', path: 'payment-methods', section: 'In depth' },
  { source: 'docs/pages.md', path: 'pages', section: 'In depth' },
  { source: 'docs/disputes.md', path: 'disputes', section: 'In depth' },
  { source: 'docs/workflows.md', path: 'workflows', section: 'In depth' },
  {
    source: 'docs/accounts.md',
    path: 'accounts',
    section: 'In depth',
    title: 'Accounts of people',
    summary: 'When a proof of identity is needed, how changes are undone, and how an account is got back.',
  },
  {
    source: 'docs/personal-data.md',
    path: 'personal-data',
    section: 'In depth',
    title: 'Personal data',
    summary: 'What is kept of a customer, and how a customer is forgotten.',
  },
  { source: 'docs/providers.md', path: 'providers', section: 'In depth' },
  { source: 'client/typescript/README.md', path: 'client', section: 'API', title: 'TypeScript client' },
  { source: 'CHANGELOG.md', path: 'changelog', section: 'Look up' },
  { source: 'docs/local-host.md', path: 'local-host', section: 'On your machine' },
];

export const documentPages = (): readonly Page[] => DOCUMENT_PAGES.map(documentPage);

const FIRST_HEADING = /^# (.+)\n/;
const FIRST_PARAGRAPH = /^\s*((?!```|[#|>]|- )[^\n]+\n(?:[^\n]+\n)*)/;

function documentPage({ source, path, section, ...given }: DocumentPage): Page {
  const text = readFileSync(`${ROOT}${source}`, 'utf8');
  const [line = '', heading = ''] = FIRST_HEADING.exec(text) ?? [];
  const [paragraph = '', first = ''] = given.summary ? [] : (FIRST_PARAGRAPH.exec(text.slice(line.length)) ?? []);
  const summary = given.summary ?? first.trim().replaceAll('\n', ' ');
  if (heading === '' || summary === '')
    throw new Error(
      `${source} must begin with a heading and a paragraph: they are the title and the summary of its page.`,
    );
  return {
    path,
    title: given.title ?? heading,
    summary,
    section,
    blocks: [{ kind: 'prose', markdown: text.slice(line.length + paragraph.length) }],
    source,
  };
}
