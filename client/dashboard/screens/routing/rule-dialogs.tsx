import { RuleForm } from '#client/dashboard/screens/routing/rule-form.tsx';
import { Matches } from '#client/dashboard/screens/routing/rule-list.tsx';
import type { RuleDialog } from '#client/dashboard/screens/routing/rule-menu.tsx';
import { rulesChanged, useConnectionName } from '#client/dashboard/screens/routing/use-routing.ts';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { RoutingRule } from '#client/typescript/src/index.ts';

type DialogProps = {
  readonly dialog: RuleDialog;
  /** In the order in which they are tried. */
  readonly rules: readonly RoutingRule[];
  readonly onClose: () => void;
};

export function RuleDialogs({ dialog, rules, onClose }: DialogProps) {
  switch (dialog.kind) {
    case 'create':
      return <RuleForm rules={rules} onClose={onClose} />;
    case 'edit':
      return <RuleForm rule={dialog.rule} rules={rules} onClose={onClose} />;
    case 'enable':
    case 'disable':
      return <SwitchDialog rule={dialog.rule} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog rule={dialog.rule} onClose={onClose} />;
  }
}

type OneRule = { readonly rule: RoutingRule; readonly onClose: () => void };

function SwitchDialog({ rule, onClose }: OneRule) {
  const { id, name, enabled } = rule;
  const connectionName = useConnectionName();
  return (
    <ConfirmDialog
      title={enabled ? `Turn off ${name}?` : `Turn on ${name}?`}
      confirm={enabled ? 'Turn off' : 'Turn on'}
      input={{ enabled: !enabled }}
      send={(api, input, options) => api.routingRules.update(id, input, options)}
      onDone={() => {
        rulesChanged();
        showToast(enabled ? `${name} is off.` : `${name} is on.`);
        onClose();
      }}
      onClose={onClose}
    >
      {enabled ? (
        <p>The next payments that it matches go by the rules below it, or by default routing.</p>
      ) : (
        <p>
          The next payments with <Matches rule={rule} /> go to {connectionName(rule.connection_id)}, unless a rule above
          it matches first.
        </p>
      )}
    </ConfirmDialog>
  );
}

const DeleteDialog = ({ rule: { id, name }, onClose }: OneRule) => (
  <ConfirmDialog
    title={`Delete ${name}?`}
    confirm="Delete the rule"
    tone="danger"
    input={{}}
    send={(api, input, options) => api.routingRules.delete(id, input, options)}
    onDone={() => {
      rulesChanged();
      showToast(`${name} is deleted.`);
      onClose();
    }}
    onClose={onClose}
  >
    <p>The next payments that it matches go by the rules below it, or by default routing. This cannot be undone.</p>
    <p>Payments that it has routed keep its ID. To keep the rule for later, turn it off instead.</p>
  </ConfirmDialog>
);
