import { Icon } from '#client/dashboard/ui/icon.tsx';
import { Menu, MenuItem } from '#client/dashboard/ui/menu.tsx';
import type { RoutingRule } from '#client/typescript/src/index.ts';

export type RuleDialog =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'enable' | 'disable' | 'delete'; readonly rule: RoutingRule };

type RuleMenuProps = { readonly rule: RoutingRule; readonly onOpen: (dialog: RuleDialog) => void };

/** What can be done with one rule. */
export function RuleMenu({ rule, onOpen }: RuleMenuProps) {
  const open = (close: () => void, kind: Exclude<RuleDialog['kind'], 'create'>) => () => {
    close();
    onOpen({ kind, rule });
  };
  return (
    <Menu
      label={`Change ${rule.name}`}
      button={<Icon name="more" />}
      buttonClass="button button-quiet button-icon"
      align="end"
    >
      {(close) => (
        <>
          <MenuItem icon="edit" onClick={open(close, 'edit')}>
            Edit
          </MenuItem>
          {rule.enabled ? (
            <MenuItem icon="pause" onClick={open(close, 'disable')}>
              Turn off
            </MenuItem>
          ) : (
            <MenuItem icon="play" onClick={open(close, 'enable')}>
              Turn on
            </MenuItem>
          )}
          <MenuItem icon="trash" isDanger onClick={open(close, 'delete')}>
            Delete
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
