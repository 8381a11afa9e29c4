import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import { EventRequest } from '#client/dashboard/screens/webhooks/event-request.tsx';
import { resourceAddress } from '#client/dashboard/screens/webhooks/event-types.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Code } from '#client/dashboard/ui/code.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Columns, Page, Section } from '#client/dashboard/ui/page.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { Timeline, type TimelineEntry } from '#client/dashboard/ui/timeline.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import { Id, KeyValue } from '#client/dashboard/ui/values.tsx';
import type { Event } from '#client/typescript/src/index.ts';

/** An attempt that is about to be made is seen within seconds. What is settled changes only when somebody resends it. */
const SOON_MS = 3_000;
const SETTLED_MS = 30_000;

/** One event: each attempt to deliver it, and what was sent. */
export function EventScreen() {
  const { id = '' } = useRoute().params;
  const { can } = useSession();
  const [isResending, resend] = useState(false);
  const [every, repeat] = useState(SOON_MS);
  const query = useQuery(['event', id], (api, options) => api.webhooks.getEvent(id, {}, options), { every });
  const found = query.data;
  const next = found && found.status !== 'pending' ? SETTLED_MS : SOON_MS;
  if (next !== every) repeat(next);
  const button = found && can('webhooks:write') && (
    <Button icon="retry" onClick={() => resend(true)}>
      Resend
    </Button>
  );
  return (
    <Page
      title={found?.type ?? 'Event'}
      breadcrumbs={[{ label: 'Webhooks', href: '/dashboard/webhooks' }]}
      badge={found && <StatusBadge status={found.status} />}
      actions={button || undefined}
    >
      <Loaded query={query} rows={8}>
        {(event) => <Content event={event} />}
      </Loaded>
      {isResending && <ResendDialog id={id} onClose={() => resend(false)} />}
    </Page>
  );
}

function Content({ event }: { readonly event: Event }) {
  const { id, created_at, next_attempt_at, status, data } = event;
  return (
    <>
      <Columns>
        <Section title="Details" isCard>
          <KeyValue
            items={[
              ['ID', <Id key="id" id={id} />],
              ['About', 'id' in data ? <Id id={data.id} href={resourceAddress(event)} /> : null],
              ['Created', <Time key="created" at={created_at} />],
              ['Next attempt', status === 'pending' && next_attempt_at ? <Time at={next_attempt_at} /> : null],
            ]}
          />
        </Section>
        <Section title="Attempts" isCard>
          <Attempts event={event} />
        </Section>
      </Columns>
      <EventRequest event={event} />
    </>
  );
}

const NO_ATTEMPT = {
  skipped: 'No endpoint wanted this type of event at that time.',
  failed: 'Webhooks were disabled at that time.',
  pending: 'The first attempt is about to be made.',
  delivered: 'There is no attempt.',
} as const;

/** Newest first, with what the endpoint answered. */
function Attempts({ event: { attempts, status } }: { readonly event: Event }) {
  const { duration } = useFormats();
  if (attempts.length === 0) return <Empty title="Not sent">{NO_ATTEMPT[status]}</Empty>;
  return <Timeline label="Attempts" entries={attempts.map((attempt) => entryOf(attempt, duration)).reverse()} />;
}

function entryOf(
  { at, status_code, duration_ms, error, response }: Event['attempts'][number],
  duration: (ms: number) => string,
): TimelineEntry {
  const isDelivered = status_code !== null && status_code >= 200 && status_code < 300;
  return {
    key: at,
    at,
    title: status_code === null ? `No response: ${error}` : `Answered ${status_code}`,
    aside: duration(duration_ms),
    ...(isDelivered ? ({ tone: 'good', icon: 'check' } as const) : ({ tone: 'bad', icon: 'close' } as const)),
    ...(response !== undefined && { children: <Code text={response} label="The start of the response" /> }),
  };
}

type ResendProps = { readonly id: string; readonly onClose: () => void };

function ResendDialog({ id, onClose }: ResendProps) {
  return (
    <ConfirmDialog
      title="Resend this event?"
      confirm="Resend"
      input={{}}
      send={(api, input, options) => api.webhooks.replayEvent(id, input, options)}
      onDone={() => {
        invalidate('event', 'events', 'attention', 'timeline');
        showToast('The event is being sent again.');
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        It is sent to the endpoint of now, with the same ID <code>{id}</code> and a new signature. Your server may have
        it already.
      </p>
    </ConfirmDialog>
  );
}
