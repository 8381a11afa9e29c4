import { useState } from 'preact/hooks';
import { Newest, type Numbered } from '#client/dashboard/screens/lab/newest.tsx';
import { useControl } from '#client/dashboard/screens/lab/use-control.ts';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Drawer } from '#client/dashboard/ui/dialog.tsx';
import { FilterBar, FilterInput, useFilters } from '#client/dashboard/ui/filters.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { KeyValue } from '#client/dashboard/ui/values.tsx';

type Mail = { readonly to: string; readonly subject: string; readonly text: string; readonly sent_at: string };

/** Every mail that the service sent. None leaves this machine, and a restart forgets them. */
export function Mailbox() {
  const query = useControl<readonly Mail[]>('lab-mailbox', '/mailbox');
  const filters = useFilters(['to']);
  const [open, setOpen] = useState<Mail>();
  const wanted = (filters.values.to ?? '').toLowerCase();
  const columns: readonly Column<Numbered<Mail>>[] = [
    {
      key: 'subject',
      header: 'Subject',
      isWide: true,
      cell: (mail) => (
        <button type="button" class="lab-open" onClick={() => setOpen(mail)}>
          {mail.subject}
        </button>
      ),
    },
    { key: 'to', header: 'To', cell: ({ to }) => to },
    { key: 'at', header: 'Sent', cell: ({ sent_at }) => <Time at={sent_at} /> },
  ];
  return (
    <Section title="Mailbox" description="The mails that this machine’s service sent. None of them leaves the machine.">
      <FilterBar filters={filters}>
        <FilterInput filters={filters} name="to" label="Address" />
      </FilterBar>
      <Loaded query={query}>
        {(mails) => (
          <Newest
            all={mails.filter(({ to }) => to.toLowerCase().includes(wanted))}
            empty={<Empty icon="mail" title="No mail" />}
          >
            {(rows) => <Table label="Mails" columns={columns} rows={rows} rowKey={({ number }) => String(number)} />}
          </Newest>
        )}
      </Loaded>
      {open && <MailDrawer mail={open} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function MailDrawer({ mail, onClose }: { readonly mail: Mail; readonly onClose: () => void }) {
  const links = mail.text.match(/https?:\/\/\S+/g) ?? [];
  return (
    <Drawer title={mail.subject} onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <div class="stack">
        <KeyValue
          items={[
            ['To', mail.to],
            ['Sent', <Time key="at" at={mail.sent_at} />],
          ]}
        />
        <pre class="lab-mail">{mail.text}</pre>
        {links.map((link) => (
          <p key={link}>
            <a href={link} target="_blank" rel="noreferrer">
              Open the link
            </a>
          </p>
        ))}
      </div>
    </Drawer>
  );
}
