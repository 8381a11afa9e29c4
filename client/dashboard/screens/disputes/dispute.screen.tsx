import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { AcceptDialog } from '#client/dashboard/screens/disputes/accept-dialog.tsx';
import { awaitsAnswer, DisputeDeadline } from '#client/dashboard/screens/disputes/dispute-deadline.tsx';
import { DisputeHistory } from '#client/dashboard/screens/disputes/dispute-history.tsx';
import { DISPUTES } from '#client/dashboard/screens/disputes/disputes.catalog.ts';
import { EvidenceForm } from '#client/dashboard/screens/disputes/evidence-form.tsx';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Columns, Page, Section } from '#client/dashboard/ui/page.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { Id, KeyValue, Money } from '#client/dashboard/ui/values.tsx';
import type { Dispute } from '#client/typescript/src/generated/schemas.ts';

export function DisputeScreen() {
  const { id = '' } = useRoute().params;
  const texts = useMessages(DISPUTES);
  const query = useQuery(['dispute', id], (api, options) => api.disputes.get(id, {}, options));
  const crumbs = [{ label: texts.title, href: '/dashboard/disputes' }];
  if (query.data) return <OneDispute dispute={query.data} />;
  return (
    <Page title={texts.dispute} breadcrumbs={crumbs}>
      <Loaded query={query} rows={8}>
        {() => null}
      </Loaded>
    </Page>
  );
}

function OneDispute({ dispute }: { readonly dispute: Dispute }) {
  const texts = useMessages(DISPUTES);
  const formats = useFormats();
  const { can } = useSession();
  const [isAccepting, setAccepting] = useState(false);
  const { amount, currency, status, reason, answer_options } = dispute;
  const mayAccept = answer_options.accept && can('payments:write');
  return (
    <Page
      title={`${texts.dispute} ${formats.money(amount, currency)}`}
      heading={<Money amount={amount} currency={currency} />}
      badge={<StatusBadge status={status} label={texts.statuses[status].name} />}
      subtitle={texts.reasons[reason]}
      breadcrumbs={[{ label: texts.title, href: '/dashboard/disputes' }]}
      actions={mayAccept && <Button onClick={() => setAccepting(true)}>{texts.accept}…</Button>}
    >
      <Columns layout="side">
        <div>
          <Section>
            <Alert tone={awaitsAnswer(dispute) ? 'warn' : 'neutral'}>
              <p>{texts.statuses[status].means}</p>
            </Alert>
          </Section>
          <Answer dispute={dispute} />
          <Section title={texts.history}>
            <DisputeHistory dispute={dispute} />
          </Section>
        </div>
        <Facts dispute={dispute} />
      </Columns>
      {isAccepting && <AcceptDialog dispute={dispute} onClose={() => setAccepting(false)} />}
    </Page>
  );
}

/** The form, or why there is none. */
function Answer({ dispute }: { readonly dispute: Dispute }) {
  const texts = useMessages(DISPUTES);
  const { can } = useSession();
  const provider = providerName(dispute.provider);
  const isOpen = awaitsAnswer(dispute);
  const takesEvidence = dispute.answer_options.evidence_fields.length > 0;
  if (isOpen && takesEvidence && can('payments:write'))
    return (
      <Section title={texts.answer} description={texts.answerHint(provider)}>
        <EvidenceForm key={dispute.id} dispute={dispute} />
      </Section>
    );
  const why = isOpen && !takesEvidence ? texts.answerElsewhere(provider) : texts.answerNone;
  return (
    <Section title={texts.answer}>
      <p class="muted">{isOpen && takesEvidence ? texts.readOnly : why}</p>
    </Section>
  );
}

function Facts({ dispute }: { readonly dispute: Dispute }) {
  const texts = useMessages(DISPUTES);
  return (
    <Section isCard>
      <KeyValue
        items={[
          [texts.respondBy, awaitsAnswer(dispute) ? <DisputeDeadline dispute={dispute} /> : null],
          [
            texts.payment,
            <Id key="payment" id={dispute.payment_id} href={`/dashboard/payments/${dispute.payment_id}`} />,
          ],
          [texts.provider, providerName(dispute.provider)],
          [
            texts.connection,
            <Id key="connection" id={dispute.connection_id} href={`/dashboard/connections/${dispute.connection_id}`} />,
          ],
          [texts.providerReference, <Id key="reference" id={dispute.psp_reference} />],
          [texts.providerReason, dispute.provider_reason],
          [texts.opened, <Time key="opened" at={dispute.opened_at} />],
          [texts.closed, dispute.closed_at && <Time at={dispute.closed_at} />],
          ['ID', <Id key="id" id={dispute.id} />],
        ]}
      />
    </Section>
  );
}
