import { useWebhookConfig } from '#client/dashboard/screens/webhooks/webhooks-page.tsx';
import { JsonView } from '#client/dashboard/ui/code.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { KeyValue } from '#client/dashboard/ui/values.tsx';
import type { Event } from '#client/typescript/src/index.ts';

/** The request as it was sent: only its signatures are not kept, as they would be secrets for some minutes. */
export function EventRequest({ event }: { readonly event: Event }) {
  const { id, type, org_id, created_at, data, attempts } = event;
  const { data: config } = useWebhookConfig();
  const sentAt = attempts.at(-1)?.at ?? created_at;
  const timestamp = Math.floor(Date.parse(sentAt) / 1_000);
  const description = attempts.length > 0 ? 'Of the newest attempt.' : 'As it would be sent.';
  return (
    <Section title="Request" description={`${description} Each attempt has its own timestamp and signatures.`}>
      <div class="stack">
        <KeyValue
          items={[
            ['POST', config ? <code>{config.url}</code> : null],
            ['content-type', <code key="type">application/json</code>],
            ['webhook-id', <code key="id">{id}</code>],
            ['webhook-timestamp', <code key="timestamp">{timestamp}</code>],
            ['webhook-signature', <code key="signature">v1,…</code>],
            ['x-service-event-id', <code key="event">{id}</code>],
            ['x-service-signature', <code key="own">sha256=…</code>],
          ]}
        />
        <JsonView value={{ id, type, org_id, created_at, data, timestamp }} label="Body" isTall />
      </div>
    </Section>
  );
}
