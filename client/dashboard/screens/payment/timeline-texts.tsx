import { useNames } from '#client/dashboard/api/use-names.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENT } from '#client/dashboard/screens/payment/payment.catalog.ts';
import { RoutingLine } from '#client/dashboard/screens/payment/routing-line.tsx';
import { Deliveries } from '#client/dashboard/screens/payment/timeline-deliveries.tsx';
import type { Entry, EntryOf } from '#client/dashboard/screens/payment/timeline-kinds.ts';
import { usePaymentWords } from '#client/dashboard/ui/payment-words.ts';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { Id } from '#client/dashboard/ui/values.tsx';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';

type EntryTextProps = { readonly entry: Entry; readonly payment: Payment };

/** What stands below the title of an entry. What only the API can say stays as it says it. */
export function EntryText({ entry, payment }: EntryTextProps) {
  switch (entry.kind) {
    case 'created':
      return (
        <>
          {entry.origin_id !== null && <p class="muted">{entry.origin_id}</p>}
          <CauseLine cause={entry.by} />
        </>
      );
    case 'routed':
      return <RoutingLine entry={entry} payment={payment} />;
    case 'attempt':
      return <AttemptText entry={entry} />;
    case 'action':
    case 'dispute_answer':
      return <CauseLine cause={entry.by} />;
    case 'callback':
      return <p class="muted">{[providerName(entry.provider), entry.type].join(' · ')}</p>;
    case 'capture':
    case 'refund':
      return <MoneyText entry={entry} />;
    case 'event':
      return (
        <>
          <CauseLine cause={entry.cause} />
          <Deliveries entry={entry} />
        </>
      );
    case 'workflow_run':
      return <RunText entry={entry} />;
    case 'dispute':
      return <a href={`/dashboard/disputes/${entry.dispute_id}`}>{entry.text}</a>;
    default:
      return <p>{entry.text}</p>;
  }
}

function AttemptText({ entry }: { readonly entry: EntryOf<'attempt'> }) {
  const texts = useMessages(PAYMENT);
  const { duration } = useFormats();
  const { failure, is_late, connection_id, latency_ms, psp_reference } = entry;
  const took = latency_ms === null ? undefined : `${texts.took} ${duration(latency_ms)}`;
  return (
    <>
      {failure && <Decline failure={failure} />}
      {is_late && <p>{texts.late}</p>}
      <p class="muted">{[connection_id, took, psp_reference].filter(Boolean).join(' · ')}</p>
    </>
  );
}

/** Why an attempt failed, in the reader's language, with the provider's own code for its support. */
function Decline({ failure }: { readonly failure: NonNullable<EntryOf<'attempt'>['failure']> }) {
  const { failureWords } = usePaymentWords();
  const code = failure.provider_code;
  return (
    <p title={failure.message}>
      {failureWords(failure.code)}
      {code && code !== failure.code && <span class="muted"> · {code}</span>}
    </p>
  );
}

/** For whom, or by what, it was done; nothing if that is not known. */
function CauseLine({ cause }: { readonly cause: EntryOf<'event'>['cause'] | EntryOf<'action'>['by'] }) {
  const { causes } = useMessages(PAYMENT);
  if (!cause) return null;
  const { type, id } = cause;
  if (type === 'user' || type === 'api_key') return <Who id={id ?? type} />;
  const isRun = type === 'workflow_run' && id !== null;
  return <p class="muted">{isRun ? <a href={`/dashboard/workflows/runs/${id}`}>{causes[type]}</a> : causes[type]}</p>;
}

/** Asks for names only where there is somebody to name. */
function Who({ id }: { readonly id: string }) {
  const texts = useMessages(PAYMENT);
  const name = useNames()(id);
  return (
    <p class="muted">
      {texts.by} <span title={id}>{name}</span>
    </p>
  );
}

function MoneyText({ entry }: { readonly entry: EntryOf<'capture'> | EntryOf<'refund'> }) {
  return (
    <>
      {entry.failure && <p>{entry.failure.message}</p>}
      {entry.kind === 'refund' && entry.reason && <p>{entry.reason}</p>}
      <p class="muted">
        <Id id={entry.kind === 'refund' ? entry.refund_id : entry.capture_id} />
      </p>
    </>
  );
}

/** A run that has not begun, or was refused, has no steps. */
const RunText = ({ entry: { execution_id, steps, error } }: { readonly entry: EntryOf<'workflow_run'> }) => (
  <>
    <p>
      <a href={`/dashboard/workflows/runs/${execution_id}`}>
        {steps.length > 0 ? steps.map(({ id }) => id).join(' → ') : execution_id}
      </a>
    </p>
    {error && <p>{error}</p>}
  </>
);
