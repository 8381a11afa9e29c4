import type { Block, Page, TableRow } from '#lib/reference/page.model.ts';
import { CODES_WITHOUT_TOKEN, COMMON_TOKENS, PROVIDER_TOKENS, type TestToken } from '#lib/reference/test-tokens.ts';
import { FAILURES, type FailureCode } from '#shared/domain/payments/declines.catalog.ts';

const INTRODUCTION = `The simulated providers of the local host accept these tokens as payment methods. A bare
\`{"type": "card", "token": "ok"}\` goes to the first provider; \`{"type": "card", "tokens": {"adyen": "ok"}}\` leaves only that
provider to route to. Real providers take none of them: in their sandboxes use their own test tokens.

Other outcomes, such as time-outs and unreadable responses, are [scenarios](/docs/guides/testing-failures).`;

const FAILURE_TEXT = `\`decline_\` and one of these codes declines the payment with that \`failure.code\`, at a provider that can say
so; one that has no such reason does not know the token. \`category\` says whether it can be worth trying again.`;

const rowOf = ({ token, outcome }: TestToken): TableRow => ({ cells: [`\`${token}\``, outcome] });

const CODES = Object.keys(FAILURES) as readonly FailureCode[];

const failureTable = (isIn: (code: FailureCode) => boolean): Block => ({
  kind: 'table',
  head: ['Code', 'Category', 'Meaning'],
  rows: CODES.filter(isIn).map((code) => ({
    id: `failure-${code}`,
    cells: [`\`${code}\``, `\`${FAILURES[code].category}\``, FAILURES[code].message],
  })),
});

export const testTokenPage = (): Page => ({
  path: 'test-tokens',
  title: 'Test tokens',
  summary: 'What the simulated providers accept as payment methods, and what then happens.',
  section: 'Look up',
  source: 'lib/reference/pages/test-token-page.ts',
  blocks: [
    { kind: 'prose', markdown: INTRODUCTION },
    { kind: 'heading', level: 2, text: 'At every provider' },
    { kind: 'table', head: ['Token', 'What happens'], rows: COMMON_TOKENS.map(rowOf) },
    { kind: 'heading', level: 2, text: 'Failure codes' },
    { kind: 'prose', markdown: FAILURE_TEXT },
    failureTable((code) => !CODES_WITHOUT_TOKEN.includes(code)),
    { kind: 'heading', level: 3, text: 'Codes without a token' },
    { kind: 'prose', markdown: 'The service itself, its settings, or time brings these about.' },
    failureTable((code) => CODES_WITHOUT_TOKEN.includes(code)),
    { kind: 'heading', level: 2, text: 'At one provider' },
    {
      kind: 'table',
      head: ['Provider', 'Token', 'What happens'],
      rows: PROVIDER_TOKENS.map(({ provider, token, outcome }) => ({
        cells: [`\`${provider}\``, `\`${token}\``, outcome],
      })),
    },
  ],
});
