import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAction } from '#client/dashboard/api/use-action.ts';
import { DeleteDialog, LabelsDialog, StatusDialog } from '#client/dashboard/screens/connections/change-dialogs.tsx';
import { ExchangeCredentials } from '#client/dashboard/screens/connections/exchange-credentials.tsx';
import { forgetConnections } from '#client/dashboard/screens/connections/save-connection.ts';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Icon } from '#client/dashboard/ui/icon.tsx';
import { Menu, MenuItem } from '#client/dashboard/ui/menu.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Connection, ValidatedConnection } from '#client/typescript/src/index.ts';

type DialogName = 'credentials' | 'labels' | 'status' | 'delete';

export function ConnectionActions({ connection }: { readonly connection: Connection }) {
  const [open, setOpen] = useState<DialogName>();
  const { route } = useLocation();
  const close = (): void => setOpen(undefined);
  const { id, status } = connection;
  return (
    <>
      <Validate id={id} />
      <Button icon="key" onClick={() => setOpen('credentials')}>
        Exchange credentials
      </Button>
      <Button onClick={() => setOpen('status')}>{status === 'active' ? 'Deactivate' : 'Activate'}</Button>
      <Menu label="More" button={<Icon name="more" />} align="end">
        {(closeMenu) =>
          (['labels', 'delete'] as const).map((name) => (
            <MenuItem
              key={name}
              icon={name === 'labels' ? 'edit' : 'trash'}
              isDanger={name === 'delete'}
              onClick={() => {
                closeMenu();
                setOpen(name);
              }}
            >
              {name === 'labels' ? 'Edit labels' : 'Delete'}
            </MenuItem>
          ))
        }
      </Menu>
      {open === 'credentials' && <ExchangeCredentials connection={connection} onClose={close} />}
      {open === 'labels' && <LabelsDialog connection={connection} onClose={close} />}
      {open === 'status' && <StatusDialog connection={connection} onClose={close} />}
      {open === 'delete' && (
        <DeleteDialog connection={connection} onClose={close} onDeleted={() => route('/dashboard/connections')} />
      )}
    </>
  );
}

/** Asks the provider whether it still accepts the stored credentials. */
function Validate({ id }: { readonly id: string }) {
  const action = useAction(
    (api, _: undefined, options) => api.connections.validate(id, {}, options),
    (result) => {
      forgetConnections();
      tell(result);
    },
  );
  const { problem } = action;
  useEffect(() => {
    if (problem) showToast(problem.message, 'bad');
  }, [problem]);
  return (
    <Button icon="check" isPending={action.isPending} onClick={() => action.run(undefined)}>
      Validate
    </Button>
  );
}

function tell({ last_validation_status, last_validation_error, warnings = [] }: ValidatedConnection): void {
  if (last_validation_status === 'valid') showToast(warnings[0] ?? 'The provider accepts the credentials.');
  else showToast(last_validation_error ?? 'The provider does not accept the credentials.', 'bad');
}
