import { useState } from 'preact/hooks';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { ACCOUNT } from '#client/dashboard/screens/account/account.catalog.ts';
import { AddPasskeyDialog } from '#client/dashboard/screens/account/add-passkey-dialog.tsx';
import { hasPasskeys } from '#client/dashboard/shell/webauthn.ts';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Passkey } from '#client/typescript/src/index.ts';

export function Passkeys() {
  const texts = useMessages(ACCOUNT);
  const [isAdding, setAdding] = useState(false);
  const [removing, remove] = useState<Passkey>();
  const query = useQuery(['passkeys'], (api, options) => api.auth.listWebauthnCredentials({}, options));
  const add = hasPasskeys() && (
    <Button icon="plus" onClick={() => setAdding(true)}>
      {texts.addPasskey}
    </Button>
  );
  return (
    <Section title={texts.passkeys} description={texts.passkeysHint} actions={add}>
      {!hasPasskeys() && <Alert tone="info">{texts.notHere}</Alert>}
      <Loaded query={query}>
        {({ credentials }) =>
          credentials.length === 0 ? (
            <Empty icon="key" title={texts.noPasskeys}>
              {texts.noPasskeysHint}
            </Empty>
          ) : (
            <PasskeyTable rows={credentials} onRemove={remove} />
          )
        }
      </Loaded>
      {isAdding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
      {removing && <RemoveDialog passkey={removing} onClose={() => remove(undefined)} />}
    </Section>
  );
}

type PasskeyTableProps = { readonly rows: readonly Passkey[]; readonly onRemove: (passkey: Passkey) => void };

const nameOf = ({ name, id }: Passkey): string => name ?? id.slice(0, 12);

function PasskeyTable({ rows, onRemove }: PasskeyTableProps) {
  const texts = useMessages(ACCOUNT);
  const columns: readonly Column<Passkey>[] = [
    { key: 'name', header: texts.passkeyName, cell: (passkey) => <span class="strong">{nameOf(passkey)}</span> },
    { key: 'added', header: texts.added, cell: ({ created_at }) => <Time at={created_at} as="date" /> },
    {
      key: 'used',
      header: texts.lastUsed,
      cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} as="relative" /> : texts.never),
    },
    {
      key: 'actions',
      header: texts.actions,
      isHeaderHidden: true,
      align: 'end',
      cell: (passkey) => (
        <Button
          size="small"
          tone="quiet"
          icon="trash"
          label={texts.removePasskey(nameOf(passkey))}
          onClick={() => onRemove(passkey)}
        />
      ),
    },
  ];
  return <Table label={texts.passkeys} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

function RemoveDialog({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }) {
  const texts = useMessages(ACCOUNT);
  return (
    <ConfirmDialog
      title={texts.removePasskey(nameOf(passkey))}
      confirm={texts.remove}
      tone="danger"
      input={{}}
      send={(api) => api.auth.deleteWebauthnCredential(passkey.id)}
      onDone={() => {
        invalidate('passkeys', 'sessions');
        showToast(texts.removed);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{texts.removePasskeyHint}</p>
    </ConfirmDialog>
  );
}
