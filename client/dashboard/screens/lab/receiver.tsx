import { useState } from 'preact/hooks';
import { Newest, type Numbered } from '#client/dashboard/screens/lab/newest.tsx';
import { type Responses, sentenceOf } from '#client/dashboard/screens/lab/receiver-responses.ts';
import { MAX_SEEN, useControl, useControlAct } from '#client/dashboard/screens/lab/use-control.ts';
import { controlAddress } from '#client/dashboard/shell/navigation.ts';
import { Badge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Code, JsonView } from '#client/dashboard/ui/code.tsx';
import { ActionProblem } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Drawer } from '#client/dashboard/ui/dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import { Id, KeyValue } from '#client/dashboard/ui/values.tsx';

type Delivery = {
  readonly at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw_body: string;
  readonly status: number;
};

type ReceiverProps = { readonly name: string; readonly responses: Responses };

const addressOf = (name: string): string => `/receiver/${encodeURIComponent(name)}`;

export function Receiver({ name, responses }: ReceiverProps) {
  const newest = `${addressOf(name)}?limit=${MAX_SEEN}`;
  const query = useControl<{ readonly deliveries: readonly Delivery[] }>('lab-receivers', newest);
  return (
    <Section title={`Receiver ${name}`}>
      <div class="stack">
        <KeyValue items={[['Its address', <Id key="address" id={`${controlAddress()}${addressOf(name)}/hook`} />]]} />
        <ResponseForm name={name} responses={responses} />
        <Loaded query={query}>{({ deliveries }) => <DeliveryTable deliveries={deliveries} />}</Loaded>
      </div>
    </Section>
  );
}

/** One status for all, or several in turn, of which the last one repeats. */
function ResponseForm({ name, responses }: ReceiverProps) {
  const [statuses, setStatuses] = useState((responses.sequence ?? [responses.status ?? 200]).join(', '));
  const [delay, setDelay] = useState(String(responses.delay_ms ?? 0));
  const act = useControlAct('lab-receivers');
  const sequence = statuses
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  return (
    <form
      class="stack"
      onSubmit={async (event) => {
        event.preventDefault();
        const body = { sequence, delay_ms: Number(delay) };
        if (await act.run('PUT', addressOf(name), body)) showToast(`It responds with ${sentenceOf(body)} now.`);
      }}
    >
      <div class="field-row">
        <Input
          label="Responds with"
          hint="One status, or several in turn; the last one repeats."
          value={statuses}
          onValue={setStatuses}
        />
        <Input label="After milliseconds" type="number" min={0} value={delay} onValue={setDelay} />
      </div>
      <div>
        <Button type="submit" isPending={act.isPending} disabled={sequence.length === 0}>
          Save
        </Button>
      </div>
      <ActionProblem problem={act.problem} isUnknown={false} />
    </form>
  );
}

function DeliveryTable({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const [open, setOpen] = useState<Delivery>();
  return (
    <>
      <Newest all={deliveries} empty={<Empty icon="webhooks" title="It has got nothing yet" />}>
        {(rows) => (
          <Table label="Requests" columns={columnsOf(setOpen)} rows={rows} rowKey={({ number }) => String(number)} />
        )}
      </Newest>
      {open && <DeliveryDrawer delivery={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

const columnsOf = (open: (delivery: Delivery) => void): readonly Column<Numbered<Delivery>>[] => [
  {
    key: 'event',
    header: 'Event',
    isWide: true,
    cell: (row) => (
      <button type="button" class="lab-open" onClick={() => open(row)}>
        <code>{typeOf(row)}</code>
      </button>
    ),
  },
  { key: 'at', header: 'Time', cell: ({ at }) => <Time at={at} /> },
  {
    key: 'status',
    header: 'Answered',
    cell: ({ status }) => <Badge tone={status < 300 ? 'good' : 'bad'}>{status}</Badge>,
  },
];

function typeOf({ raw_body }: Delivery): string {
  try {
    return String(JSON.parse(raw_body).type);
  } catch {
    return 'A request';
  }
}

function DeliveryDrawer({ delivery, onClose }: { readonly delivery: Delivery; readonly onClose: () => void }) {
  return (
    <Drawer title={typeOf(delivery)} onClose={onClose}>
      <div class="stack">
        <KeyValue
          items={[
            ['Time', <Time key="at" at={delivery.at} />],
            ['Answered', String(delivery.status)],
          ]}
        />
        <h3>Headers</h3>
        <JsonView label="Headers" value={delivery.headers} />
        <h3>Body</h3>
        <Code label="Body" text={delivery.raw_body} isTall />
      </div>
    </Drawer>
  );
}
