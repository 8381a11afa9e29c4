import { useState } from 'preact/hooks';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENTS } from '#client/dashboard/screens/payments/payments.catalog.ts';
import type { PaymentsMessages } from '#client/dashboard/screens/payments/payments-messages.ts';
import type { FilterName, FilterValues } from '#client/dashboard/screens/payments/payments-query.ts';
import {
  isSameView,
  MAX_NAME_LENGTH,
  readViews,
  type SavedView,
  saveViews,
} from '#client/dashboard/screens/payments/saved-views.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Dialog } from '#client/dashboard/ui/dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import type { Filters } from '#client/dashboard/ui/filters.tsx';
import { usePaymentWords } from '#client/dashboard/ui/payment-words.ts';
import { Tabs } from '#client/dashboard/ui/tabs.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';

/** Views that everybody needs. They have no name of one's own, so none can be taken. */
const builtIn = (texts: PaymentsMessages, statusWords: (status: string) => string): readonly SavedView[] => [
  { name: texts.allPayments, filters: {} },
  { name: statusWords('succeeded'), filters: { status: 'succeeded' } },
  { name: statusWords('failed'), filters: { status: 'failed' } },
  { name: texts.toCapture, filters: { status: 'authorized' } },
];

type Props = { readonly filters: Filters<FilterName> };

/** Each view is a link to its filters; what is shown can be saved as one more. */
export function ViewTabs({ filters }: Props) {
  const texts = useMessages(PAYMENTS);
  const { statusWords } = usePaymentWords();
  const { organization } = useSession();
  const orgId = organization?.id ?? '';
  const [own, setOwn] = useState(() => readViews(orgId));
  const [isSaving, setSaving] = useState(false);
  const views = [...builtIn(texts, statusWords), ...own];
  const current = views.findLast((view) => isSameView(view.filters, filters.values));
  const change = (next: readonly SavedView[], said: string): void => {
    saveViews(orgId, next);
    setOwn(next);
    showToast(said);
  };
  return (
    <div class="views">
      <Tabs
        label={texts.views}
        tabs={views.map((view) => ({
          label: view.name,
          href: filters.address(view.filters),
          isCurrent: view === current,
        }))}
      />
      {current === undefined && filters.values.search === undefined && (
        <Button tone="quiet" size="small" icon="plus" onClick={() => setSaving(true)}>
          {texts.saveView}…
        </Button>
      )}
      {current && own.includes(current) && (
        <DeleteView name={current.name} onDelete={() => change(without(own, current), texts.viewDeleted)} />
      )}
      {isSaving && (
        <SaveViewDialog
          filters={filters.values}
          taken={views.map(({ name }) => name)}
          onSave={(view) => {
            change([...own, view], texts.viewSaved);
            setSaving(false);
          }}
          onClose={() => setSaving(false)}
        />
      )}
    </div>
  );
}

const without = (views: readonly SavedView[], gone: SavedView): readonly SavedView[] =>
  views.filter((view) => view !== gone);

function DeleteView({ name, onDelete }: { readonly name: string; readonly onDelete: () => void }) {
  const texts = useMessages(PAYMENTS);
  return <Button tone="quiet" size="small" icon="trash" label={texts.deleteView(name)} onClick={onDelete} />;
}

type SaveProps = {
  readonly filters: FilterValues;
  readonly taken: readonly string[];
  readonly onSave: (view: SavedView) => void;
  readonly onClose: () => void;
};

function SaveViewDialog({ filters, taken, onSave, onClose }: SaveProps) {
  const texts = useMessages(PAYMENTS);
  const { cancel } = useMessages(FRAME);
  const [name, setName] = useState('');
  const chosen = name.trim();
  const isTaken = taken.includes(chosen);
  return (
    <Dialog
      title={texts.saveView}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button tone="primary" disabled={chosen === '' || isTaken} onClick={() => onSave({ name: chosen, filters })}>
            {texts.save}
          </Button>
        </>
      }
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== '' && !isTaken) onSave({ name: chosen, filters });
        }}
      >
        <p>{texts.saveViewText}</p>
        <Input
          label={texts.viewName}
          value={name}
          onValue={setName}
          maxLength={MAX_NAME_LENGTH}
          error={isTaken ? texts.viewNameTaken : undefined}
        />
      </form>
    </Dialog>
  );
}
