import { ERROR_NOTES } from '#functions/openapi/notes/error-codes.notes.ts';
import { type ApiDescription, type Endpoint, endpointsOf } from '#lib/reference/api-description.ts';
import { groupPath } from '#lib/reference/api-groups.ts';
import { operationsByCode } from '#lib/reference/error-codes.ts';
import { addressOf, type Entry, type Page } from '#lib/reference/page.model.ts';
import { ERROR_CODES, type ErrorCode } from '#shared/kernel/errors.ts';

const INTRODUCTION = `Every error has the same fields: \`error\`, the kind; \`code\`, which programs compare; \`message\`,
which says what is wrong here; and \`doc_url\`, which leads to the code on this page. The status alone is not enough: two
codes with one status can need different remedies.

A declined payment is no error. Its response is 200 or 201 with \`status: "failed"\`, and \`failure\` says why: see
[test tokens](/docs/test-tokens#failure-codes) for those codes.

If you do not know how a request ended, repeat it with its own idempotency key: see
[conventions](/docs/conventions).`;

const CODES = Object.keys(ERROR_CODES) as readonly ErrorCode[];

/** Every code has a place here, which \`doc_url\` of an error leads to. */
export function errorPage(document: ApiDescription): Page {
  const operations = operationsByCode(endpointsOf(document));
  const byStatus = Map.groupBy(CODES, (code) => ERROR_CODES[code].status);
  const sections = [...byStatus].toSorted(([a], [b]) => a - b);
  return {
    path: 'errors',
    title: 'Errors',
    summary: 'Each error code of the API: why it happens, and what to do.',
    section: 'Look up',
    source: 'lib/reference/pages/error-page.ts',
    blocks: [
      { kind: 'prose', markdown: INTRODUCTION },
      ...sections.flatMap(([status, codes]) => [
        { kind: 'heading', level: 2, text: `Status ${status}` } as const,
        ...codes.map((code) => codeEntry(code, operations.get(code) ?? [])),
      ]),
    ],
  };
}

/** Codes that so many operations share belong to none of them. */
const FEW_OPERATIONS = 12;

function codeEntry(code: ErrorCode, operations: readonly Endpoint[]): Entry {
  const { cause, remedy } = ERROR_NOTES[code];
  const links = operations.map(linkTo).join(', ');
  const from = operations.length > FEW_OPERATIONS ? `${operations.length} operations` : links || 'any request';
  return {
    kind: 'entry',
    id: code,
    title: code,
    isCode: true,
    level: 3,
    blocks: [{ kind: 'prose', markdown: `**Cause**: ${cause}\n\n**What to do**: ${remedy}\n\n**From**: ${from}` }],
    samples: [],
  };
}

const linkTo = ({ summary, operationId, tag }: Endpoint): string =>
  `[${summary ?? operationId}](${addressOf(groupPath(tag))}#${operationId})`;
