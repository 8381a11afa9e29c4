import { firstSentence } from '#lib/reference/contents.ts';
import { markdownAddress } from '#lib/reference/html/layout.ts';
import { type Page, SECTIONS } from '#lib/reference/page.model.ts';
import { PAGE_PLACES } from '#shared/domain/reference/page-places.catalog.ts';

const INTRODUCTION = `# Payfork

> Payment orchestration: one API for payments through an organization's own accounts at eight providers.

Amounts are integers in minor units. Changes need an \`Idempotency-Key\`. A declined payment is not an error: its response has
\`status: "failed"\`. The API document is at ${PAGE_PLACES.api}/openapi.json;
what people do in the dashboard is in ${PAGE_PLACES.api}/openapi-dashboard.json.
`;

/** The list of all pages, as llmstxt.org describes it. */
export function llmsText(pages: readonly Page[]): string {
  const sections = SECTIONS.map((section) => {
    const lines = pages
      .filter((page) => page.section === section)
      .map(
        ({ title, path, summary }) =>
          `- [${title}](${PAGE_PLACES.api}${markdownAddress(path)}): ${firstSentence(summary)}`,
      );
    return `## ${section}\n\n${lines.join('\n')}\n`;
  });
  return [INTRODUCTION, ...sections].join('\n');
}

/** All pages one after the other. */
export const llmsFullText = (markdown: readonly string[]): string => [INTRODUCTION, ...markdown].join('\n---\n\n');
