import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { DISPUTES } from '#client/dashboard/screens/disputes/disputes.catalog.ts';
import { isEvidenceName } from '#client/dashboard/screens/disputes/evidence-fields.ts';
import { Timeline } from '#client/dashboard/ui/timeline.tsx';
import type { Dispute } from '#client/typescript/src/generated/schemas.ts';

/** Who answered what, and how it ended. */
export function DisputeHistory({ dispute }: { readonly dispute: Dispute }) {
  const texts = useMessages(DISPUTES);
  const { answer, closed_at, opened_at, status } = dispute;
  const fields = answer?.fields.map((name) => (isEvidenceName(name) ? texts.evidence[name] : name)) ?? [];
  const opened = { key: 'opened', at: opened_at, title: texts.historyOpened, icon: 'disputes' } as const;
  const answered = answer && {
    key: 'answer',
    at: answer.at,
    title: answer.type === 'accept' ? texts.historyAccepted : texts.historyEvidence,
    icon: 'check' as const,
    children: (
      <>
        {fields.length > 0 && <p>{fields.join(', ')}</p>}
        <p class="muted">
          {texts.by} <code>{answer.by}</code>
        </p>
      </>
    ),
  };
  const closed = closed_at && {
    key: 'closed',
    at: closed_at,
    title: texts.statuses[status].name,
    tone: status === 'won' ? ('good' as const) : ('bad' as const),
    icon: status === 'won' ? ('check' as const) : ('close' as const),
  };
  return (
    <Timeline label={texts.history} entries={[opened, ...(answered ? [answered] : []), ...(closed ? [closed] : [])]} />
  );
}
