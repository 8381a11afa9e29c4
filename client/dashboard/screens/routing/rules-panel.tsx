import { useState } from 'preact/hooks';
import { useAction } from '#client/dashboard/api/use-action.ts';
import { ReplayCheck } from '#client/dashboard/screens/routing/replay-check.tsx';
import { RuleDialogs } from '#client/dashboard/screens/routing/rule-dialogs.tsx';
import { RuleList } from '#client/dashboard/screens/routing/rule-list.tsx';
import type { RuleDialog } from '#client/dashboard/screens/routing/rule-menu.tsx';
import { byTrial, editedRule, inOrder, isSameOrder } from '#client/dashboard/screens/routing/rule-order.ts';
import { rulesChanged, useRules } from '#client/dashboard/screens/routing/use-routing.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { Button, LinkButton } from '#client/dashboard/ui/button.tsx';
import { ActionProblem } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { RoutingRule } from '#client/typescript/src/index.ts';

/** An order that is being made, and not saved. Undefined: the stored one. */
export type OrderDraft = {
  readonly order: readonly string[] | undefined;
  readonly setOrder: (order: readonly string[] | undefined) => void;
};

export function RulesPanel({ draft }: { readonly draft: OrderDraft }) {
  const { can } = useSession();
  const rules = useRules();
  const [dialog, setDialog] = useState<RuleDialog>();
  const create = can('connections:write') && (
    <Button tone="primary" icon="plus" onClick={() => setDialog({ kind: 'create' })}>
      New rule
    </Button>
  );
  return (
    <Section
      title="Rules"
      description="The first rule that matches decides where a payment goes. What no rule matches goes by default routing: the cheapest healthy connection that can take it."
      actions={create}
    >
      <Loaded query={rules}>
        {(all) => (
          <>
            <Rules rules={all} draft={draft} onOpen={setDialog} />
            {dialog && (
              <RuleDialogs dialog={dialog} rules={all.toSorted(byTrial)} onClose={() => setDialog(undefined)} />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

type RulesProps = {
  readonly rules: readonly RoutingRule[];
  readonly draft: OrderDraft;
  readonly onOpen: (dialog: RuleDialog) => void;
};

function Rules({ rules, draft: { order, setOrder }, onOpen }: RulesProps) {
  const { can } = useSession();
  const stored = inOrder(rules, undefined).map(({ id }) => id);
  const shown = inOrder(rules, order);
  const isChanged = !isSameOrder(
    shown.map(({ id }) => id),
    stored,
  );
  if (rules.length === 0)
    return (
      <Empty icon="routing" title="No rules yet">
        <p>All payments go by default routing. A rule sends those of some countries and methods to one connection.</p>
      </Empty>
    );
  return (
    <div class="stack">
      <RuleList
        rules={shown}
        canChange={can('connections:write')}
        onOrder={(ids) => setOrder(isSameOrder(ids, stored) ? undefined : ids)}
        onOpen={onOpen}
      />
      {isChanged && <NewOrder rules={shown} onDone={() => setOrder(undefined)} />}
    </div>
  );
}

type NewOrderProps = { readonly rules: readonly RoutingRule[]; readonly onDone: () => void };

/** Nothing changes for payments until the order is saved. Before, it can be tried out. */
function NewOrder({ rules, onDone }: NewOrderProps) {
  const save = useAction<readonly string[], unknown>(
    (api, ids, options) => api.routingRules.reorder({ rules: ids }, options),
    () => {
      rulesChanged();
      showToast('The new order is saved. The next payment meets it.');
      onDone();
    },
  );
  return (
    <section class="order-bar" aria-label="New order">
      <Alert tone="info" title="This order is not saved yet">
        <p>Payments still follow the saved order.</p>
      </Alert>
      <ReplayCheck rules={rules.map(editedRule)} />
      <ActionProblem problem={save.problem} isUnknown={save.isUnknown} />
      <div class="row">
        <Button tone="primary" isPending={save.isPending} onClick={() => void save.run(rules.map(({ id }) => id))}>
          {save.isUnknown ? 'Try again' : 'Save the order'}
        </Button>
        <LinkButton href="/dashboard/routing/simulator">Simulate a payment</LinkButton>
        <Button tone="quiet" disabled={save.isPending || save.isUnknown} onClick={onDone}>
          Put back
        </Button>
      </div>
    </section>
  );
}
