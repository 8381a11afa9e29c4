import { useState } from 'preact/hooks';
import { Receiver } from '#client/dashboard/screens/lab/receiver.tsx';
import { type Responses, sentenceOf } from '#client/dashboard/screens/lab/receiver-responses.ts';
import { useControl, useControlAct } from '#client/dashboard/screens/lab/use-control.ts';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ActionProblem } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import { useFilters } from '#client/dashboard/ui/filters.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';

type Listed = { readonly name: string; readonly responses: Responses; readonly count: number };

/** Webhook endpoints of this machine, for trying out what happens when one is slow, fails or is gone. */
export function Receivers() {
  const { values, address } = useFilters(['name']);
  const query = useControl<{ readonly receivers: readonly Listed[] }>('lab-receivers', '/receiver');
  const columns: readonly Column<Listed>[] = [
    { key: 'name', header: 'Name', cell: ({ name }) => <code>{name}</code> },
    { key: 'responds', header: 'Responds with', cell: ({ responses }) => <code>{sentenceOf(responses)}</code> },
    { key: 'count', header: 'Requests', align: 'end', cell: ({ count }) => count },
  ];
  return (
    <Loaded query={query}>
      {({ receivers }) => (
        <>
          <Section title="Receivers" actions={<NewReceiver />}>
            {receivers.length === 0 ? (
              <Empty icon="webhooks" title="No receiver yet">
                Make one, and set its address as the webhook endpoint.
              </Empty>
            ) : (
              <Table
                label="Receivers"
                columns={columns}
                rows={receivers}
                rowKey={({ name }) => name}
                href={({ name }) => address({ name })}
              />
            )}
          </Section>
          {receivers
            .filter(({ name }) => name === values.name)
            .map(({ name, responses }) => (
              <Receiver key={name} name={name} responses={responses} />
            ))}
        </>
      )}
    </Loaded>
  );
}

function NewReceiver() {
  const [name, setName] = useState('');
  const act = useControlAct('lab-receivers');
  const { setAll } = useFilters(['name']);
  return (
    <form
      class="row"
      onSubmit={async (event) => {
        event.preventDefault();
        if (await act.run('PUT', `/receiver/${encodeURIComponent(name)}`, {})) setAll({ name });
      }}
    >
      <Input
        label="Name of the new receiver"
        isLabelHidden
        placeholder="shop"
        value={name}
        onValue={(text) => setName(text.trim())}
      />
      <Button type="submit" icon="plus" isPending={act.isPending} disabled={name === ''}>
        Make a receiver
      </Button>
      <ActionProblem problem={act.problem} isUnknown={false} />
    </form>
  );
}
