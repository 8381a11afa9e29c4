import { useEffect, useState } from 'preact/hooks';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { DISPUTES } from '#client/dashboard/screens/disputes/disputes.catalog.ts';
import type { EvidenceName } from '#client/dashboard/screens/disputes/disputes-messages.ts';
import { EVIDENCE_INPUTS, isEvidenceName } from '#client/dashboard/screens/disputes/evidence-fields.ts';
import { SubmitDialog } from '#client/dashboard/screens/disputes/submit-dialog.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Input, Textarea } from '#client/dashboard/ui/field.tsx';
import type { Dispute, DisputeEvidence } from '#client/typescript/src/generated/schemas.ts';

/** Long texts for the bank. They stay in this tab until they are sent: they are about a person. */
export function EvidenceForm({ dispute }: { readonly dispute: Dispute }) {
  const texts = useMessages(DISPUTES);
  const [draft, setDraft] = useState<DisputeEvidence>({});
  const [isSending, setSending] = useState(false);
  const evidence = filledIn(draft);
  const isEmpty = Object.keys(evidence).length === 0;
  useLeaveWarning(!isEmpty);
  return (
    <>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isEmpty) setSending(true);
        }}
      >
        <EvidenceInputs names={dispute.answer_options.evidence_fields} draft={draft} setDraft={setDraft} />
        <div>
          <Button type="submit" tone="primary" disabled={isEmpty}>
            {texts.submit}…
          </Button>
        </div>
      </form>
      {isSending && (
        <SubmitDialog
          dispute={dispute}
          evidence={evidence}
          onDone={() => setDraft({})}
          onClose={() => setSending(false)}
        />
      )}
    </>
  );
}

type EvidenceInputsProps = {
  readonly names: readonly string[];
  readonly draft: DisputeEvidence;
  readonly setDraft: (draft: DisputeEvidence) => void;
};

function EvidenceInputs({ names, draft, setDraft }: EvidenceInputsProps) {
  const texts = useMessages(DISPUTES);
  return (
    <div class="evidence">
      {names.filter(isEvidenceName).map((name) => (
        <EvidenceInput
          key={name}
          name={name}
          label={texts.evidence[name]}
          value={draft[name] ?? ''}
          onValue={(value) => setDraft({ ...draft, [name]: value })}
        />
      ))}
    </div>
  );
}

type EvidenceInputProps = {
  readonly name: EvidenceName;
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
};

function EvidenceInput({ name, ...field }: EvidenceInputProps) {
  const { kind, max } = EVIDENCE_INPUTS[name];
  if (kind === 'text')
    return (
      <div class="evidence-text">
        <Textarea {...field} isOptional maxLength={max} rows={name === 'explanation' ? 5 : 2} />
      </div>
    );
  return <Input {...field} isOptional maxLength={max} type={kind === 'date' ? 'date' : 'text'} />;
}

const filledIn = (draft: DisputeEvidence): DisputeEvidence =>
  Object.fromEntries(
    Object.entries(draft).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()] as const] : [])),
  );

/** The browser asks before the tab is closed with what was typed in. */
function useLeaveWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isNeeded]);
}
