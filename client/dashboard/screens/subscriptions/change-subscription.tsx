import { useState } from 'preact/hooks';
import { type ApiProblem, fieldError } from '#client/dashboard/api/api-problem.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { BILLING } from '#client/dashboard/screens/subscriptions/billing.catalog.ts';
import { SavedMethodField } from '#client/dashboard/screens/subscriptions/saved-method-field.tsx';
import {
  afterSubscriptionChange,
  type SubscriptionDialogProps,
} from '#client/dashboard/screens/subscriptions/subscription-change.ts';
import { AmountInput } from '#client/dashboard/ui/amount-input.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import type { Subscription, UpdateSubscription } from '#client/typescript/src/index.ts';

type Draft = { readonly amount: number | undefined; readonly plan: string; readonly method: string };

/** Only what was changed is sent, so that a change by somebody else is not undone. Undefined: nothing, or not complete. */
function inputOf({ amount, plan, method }: Draft, before: Subscription): UpdateSubscription | undefined {
  const [planId, methodId] = [plan.trim(), method.trim()];
  if (amount === undefined || planId === '') return undefined;
  const changes = {
    ...(amount !== before.amount && { amount }),
    ...(planId !== before.plan_id && { plan_id: planId }),
    ...(methodId !== '' && { payment_method: { id: methodId } }),
  };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

export function ChangeSubscriptionDialog({ subscription, onClose }: SubscriptionDialogProps) {
  const texts = useMessages(BILLING);
  const { id, amount, plan_id } = subscription;
  const [draft, setDraft] = useState<Draft>({ amount, plan: plan_id, method: '' });
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  return (
    <ConfirmDialog
      title={texts.changeTitle}
      confirm={texts.save}
      input={inputOf(draft, subscription)}
      send={(api, input, options) => api.subscriptions.update(id, input, options)}
      onDone={() => {
        afterSubscriptionChange(texts.changedToast);
        onClose();
      }}
      onClose={onClose}
    >
      {(problem) => <Fields {...{ subscription, draft, problem, change }} />}
    </ConfirmDialog>
  );
}

type FieldsProps = {
  readonly subscription: Subscription;
  readonly draft: Draft;
  readonly problem: ApiProblem | undefined;
  readonly change: (part: Partial<Draft>) => void;
};

function Fields({ subscription: { currency, customer_id }, draft, problem, change }: FieldsProps) {
  const texts = useMessages(BILLING);
  return (
    <>
      <p>{texts.changeText}</p>
      <AmountInput
        label={texts.amount}
        currency={currency}
        value={draft.amount}
        error={fieldError(problem, 'amount')}
        onValue={(amount) => change({ amount })}
      />
      <Input
        label={texts.plan}
        value={draft.plan}
        error={fieldError(problem, 'plan_id')}
        onValue={(plan) => change({ plan })}
      />
      <SavedMethodField
        customer={customer_id}
        value={draft.method}
        problem={problem}
        none={texts.keepMethod}
        onValue={(method) => change({ method })}
      />
    </>
  );
}
