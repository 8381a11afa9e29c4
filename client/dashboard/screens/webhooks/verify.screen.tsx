import { CURL_SNIPPET, LIBRARY_SNIPPET, NODE_SNIPPET } from '#client/dashboard/screens/webhooks/signature-snippets.ts';
import { WebhooksPage } from '#client/dashboard/screens/webhooks/webhooks-page.tsx';
import { Code } from '#client/dashboard/ui/code.tsx';
import { useFilters } from '#client/dashboard/ui/filters.tsx';
import { Columns, Section } from '#client/dashboard/ui/page.tsx';
import { Segments } from '#client/dashboard/ui/tabs.tsx';

const WAYS = [
  {
    value: 'library',
    label: 'Library',
    text: LIBRARY_SNIPPET,
    hint: 'A whole server. Libraries of Standard Webhooks exist for most languages.',
  },
  {
    value: 'node',
    label: 'Node',
    text: NODE_SNIPPET,
    hint: 'Without a library. Other languages follow the same steps.',
  },
  {
    value: 'curl',
    label: 'curl',
    text: CURL_SNIPPET,
    hint: 'Signs a test event as Payfork does, and sends it to a server on your own computer.',
  },
] as const;

const RULES = [
  'Verify before you parse, over the raw bytes. A body that was parsed and written again has another signature.',
  'Refuse a timestamp that is more than five minutes away from now. It is that of the attempt, so a late retry passes.',
  'Compare in constant time, as the libraries do.',
  'While a secret is replaced, webhook-signature has one signature by each secret. One that is right is enough.',
  'Answer 2xx within 30 seconds, then do the work. The same ID may come twice: do it once.',
] as const;

/** How a server knows that an event comes from here. */
export function VerifyScreen() {
  const filters = useFilters(['with']);
  const way = WAYS.find(({ value }) => value === filters.values.with) ?? WAYS[0];
  return (
    <WebhooksPage>
      <Columns layout="side">
        <Section
          title="Verify signatures"
          description="Every event is signed as Standard Webhooks define it. The secret is read from SIGNING_SECRET."
        >
          <div class="stack">
            <Segments label="Code" value={way.value} options={WAYS} onValue={(value) => filters.set('with', value)} />
            <Code text={way.text} label={way.label} isTall />
            <p class="muted">{way.hint}</p>
          </div>
        </Section>
        <Section title="What to mind" isCard>
          <ul class="points">
            {RULES.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
        </Section>
      </Columns>
    </WebhooksPage>
  );
}
