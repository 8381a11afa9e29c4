import type { ComponentChildren } from 'preact';
import { FIELDS, type LimitDraft, type VelocityDraft } from '#client/dashboard/screens/routing/fraud-draft.ts';
import { VELOCITY_FIELDS } from '#client/dashboard/screens/routing/fraud-words.ts';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Select } from '#client/dashboard/ui/choices.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';

type RowsProps<T> = {
  readonly title: string;
  readonly add: string;
  readonly rows: readonly T[];
  readonly setRows: (rows: readonly T[]) => void;
  readonly fresh: T;
  readonly max: number;
  readonly children: (row: T, change: (part: Partial<T>) => void, n: number) => ComponentChildren;
};

function Rows<T>({ title, add, rows, setRows, fresh, max, children }: RowsProps<T>) {
  return (
    <fieldset class="plain stack-small">
      <legend class="strong">{title}</legend>
      {rows.map((row, n) => (
        <div class="row-with-button" key={n}>
          <div class="field-row">{children(row, (part) => setRows(rows.with(n, { ...row, ...part })), n + 1)}</div>
          <Button
            tone="quiet"
            icon="trash"
            label={`Remove ${title.toLowerCase()} ${n + 1}`}
            onClick={() => setRows(rows.toSpliced(n, 1))}
          />
        </div>
      ))}
      {rows.length < max && (
        <div>
          <Button size="small" icon="plus" onClick={() => setRows([...rows, fresh])}>
            {add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

const MAX_CURRENCIES = 50;
const MAX_VELOCITY = 10;

type LimitProps = {
  readonly limits: readonly LimitDraft[];
  readonly setLimits: (limits: readonly LimitDraft[]) => void;
  readonly fresh: LimitDraft;
};

export const LimitRows = ({ limits, setLimits, fresh }: LimitProps) => (
  <Rows
    title="Largest amounts"
    add="A largest amount"
    rows={limits}
    setRows={setLimits}
    fresh={fresh}
    max={MAX_CURRENCIES}
  >
    {({ currency, amount }, change, n) => (
      <>
        <Input
          label={`Currency ${n}`}
          value={currency}
          maxLength={3}
          onValue={(value) => change({ currency: value.toUpperCase() })}
        />
        <Input
          label={`Amount ${n}`}
          value={amount}
          inputMode="decimal"
          onValue={(value) => change({ amount: value })}
        />
      </>
    )}
  </Rows>
);

const OPTIONS = FIELDS.map((value) => ({ value, label: `The same ${VELOCITY_FIELDS[value]}` }));

type VelocityProps = {
  readonly velocity: readonly VelocityDraft[];
  readonly setVelocity: (velocity: readonly VelocityDraft[]) => void;
  readonly fresh: VelocityDraft;
};

export const VelocityRows = ({ velocity, setVelocity, fresh }: VelocityProps) => (
  <Rows
    title="How often"
    add="A limit of how often"
    rows={velocity}
    setRows={setVelocity}
    fresh={fresh}
    max={MAX_VELOCITY}
  >
    {({ field, payments, window, currency, amount }, change, n) => (
      <>
        <Select label={`By ${n}`} value={field} options={OPTIONS} onValue={(value) => change({ field: value })} />
        <Input
          label={`Payments ${n}`}
          value={payments}
          inputMode="numeric"
          onValue={(value) => change({ payments: value })}
        />
        <Input
          label={`In ${n}`}
          value={window}
          placeholder="10m, 24h, 7d"
          onValue={(value) => change({ window: value })}
        />
        <Input
          label={`Currency ${n}`}
          value={currency}
          maxLength={3}
          placeholder="Any"
          onValue={(value) => change({ currency: value.toUpperCase() })}
        />
        <Input
          label={`Amount ${n}`}
          value={amount}
          inputMode="decimal"
          placeholder="Any"
          onValue={(value) => change({ amount: value })}
        />
      </>
    )}
  </Rows>
);
