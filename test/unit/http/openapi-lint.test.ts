import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { openApiTexts } from '#functions/openapi/describe-api.ts';
import { DOCUMENT_NAMES } from '#shared/domain/reference/api-documents.rules.ts';

/** What the linter's strictest rules say and why the document is right, by the place. None of its rules is off. */
const ACCEPTED: Readonly<Record<string, string>> = {
  // A form that leads to the page of the payment: 303 is its success.
  'operation-2xx-response': '#/paths/~1pay~1{id}/post/responses',
};

const RULES = {
  // By default it closes each part of a combined schema, so that no example could have the fields of another.
  'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
  'operation-tag-defined': 'error',
  'tag-description': 'error',
} as const;

async function problemsOf(source: string): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended-strict'], rules: RULES });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems
    .filter(({ ruleId, location: [place] }) => ACCEPTED[ruleId] !== place?.pointer)
    .map(({ ruleId, message, location: [place] }) => `${ruleId} at ${place?.pointer}: ${message}`);
}

it.each(DOCUMENT_NAMES)('%s.json passes the strictest rules of a linter', async (name) =>
  expect(await problemsOf((await openApiTexts())[name])).toEqual([]),
);

it('the linter finds what is wrong with a document', async () => {
  const { paths, ...rest } = JSON.parse((await openApiTexts()).openapi);
  const { '/health': health, ...others } = paths;
  const { operationId: _, ...unnamed } = health.get;
  const broken = { ...rest, tags: [], paths: { ...others, '/health/': { ...health, get: unnamed } } };
  const problems = (await problemsOf(JSON.stringify(broken))).join('\n');
  for (const rule of ['no-path-trailing-slash', 'operation-operationId', 'operation-tag-defined'])
    expect(problems).toContain(rule);
});
