import { useState } from 'preact/hooks';
import { type ApiProblem, fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { serverNow } from '#client/dashboard/api/server-time.ts';
import { EVENT_TYPES, isEventType } from '#client/dashboard/screens/webhooks/event-types.ts';
import { Select } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { ReplayFailedEvents } from '#client/typescript/src/index.ts';

/** Attempts go on for two days: whoever repaired an endpoint begins two days before it broke. */
const DEFAULT_HOURS = 48;
const HOUR_MS = 3_600_000;

/** As `datetime-local` has it: the viewer's own time, to the minute. */
function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const exact = (local: string): string | undefined =>
  Number.isNaN(Date.parse(local)) ? undefined : new Date(local).toISOString();

type Period = { readonly since: string; readonly until: string; readonly type: string };

/** Undefined while the beginning is missing. */
function inputOf({ since, until, type }: Period): ReplayFailedEvents | undefined {
  const [from, to] = [exact(since), exact(until)];
  if (from === undefined) return undefined;
  return { since: from, ...(to !== undefined && { until: to }), ...(isEventType(type) && { type }) };
}

export function ReplayDialog({ onClose }: { readonly onClose: () => void }) {
  const [period, setPeriod] = useState<Period>(() => ({
    since: localTime(new Date(serverNow().getTime() - DEFAULT_HOURS * HOUR_MS)),
    until: '',
    type: '',
  }));
  return (
    <ConfirmDialog
      title="Replay failed events"
      confirm="Replay"
      input={inputOf(period)}
      send={(api, input, options) => api.webhooks.replayFailedEvents(input, options)}
      onDone={({ joined }) => {
        invalidate('events', 'attention');
        showToast(joined ? 'Added to the replay that is running.' : 'The replay has begun.');
        onClose();
      }}
      onClose={onClose}
    >
      {(problem) => <Fields {...{ period, problem }} change={(part) => setPeriod({ ...period, ...part })} />}
    </ConfirmDialog>
  );
}

type FieldsProps = {
  readonly period: Period;
  readonly problem: ApiProblem | undefined;
  readonly change: (part: Partial<Period>) => void;
};

const TYPES = [{ value: '', label: 'All types' }, ...EVENT_TYPES.map(({ value }) => ({ value, label: value }))];

const Fields = ({ period: { since, until, type }, problem, change }: FieldsProps) => (
  <>
    <p>
      Every failed event of this time is sent again, the oldest first. What fails again stays failed. Your server may
      get an event twice: its ID stays the same.
    </p>
    <Input
      label="Since"
      type="datetime-local"
      value={since}
      hint="Attempts go on for two days, so after an outage begin two days before it."
      error={fieldError(problem, 'since')}
      required
      onValue={(value) => change({ since: value })}
    />
    <Input
      label="Until"
      type="datetime-local"
      value={until}
      hint="Empty: now."
      error={fieldError(problem, 'until')}
      isOptional
      onValue={(value) => change({ until: value })}
    />
    <Select label="Type" value={type} options={TYPES} onValue={(value) => change({ type: value })} />
  </>
);
