import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { wordsOf } from '#client/dashboard/ui/badge.tsx';
import { Field, type FieldLook } from '#client/dashboard/ui/field.tsx';

export type Option<V extends string = string> = {
  readonly value: V;
  readonly label: string;
  readonly disabled?: boolean;
};

/** Codes of the API as choices, each by its own words. */
export const wordOptions = <V extends string>(codes: readonly V[]): readonly Option<V>[] =>
  codes.map((value) => ({ value, label: wordsOf(value) }));

type SelectProps<V extends string> = FieldLook & {
  readonly value: V;
  readonly onValue: (value: V) => void;
  readonly options: readonly Option<V>[];
  readonly disabled?: boolean;
  readonly name?: string;
};

export function Select<V extends string>({ value, onValue, options, disabled, name, ...look }: SelectProps<V>) {
  return (
    <Field {...look}>
      {(ids) => (
        <select
          {...ids}
          class="input input-select"
          value={value}
          disabled={disabled}
          name={name}
          onChange={({ currentTarget }) => {
            const chosen = options.find((option) => option.value === currentTarget.value);
            if (chosen) onValue(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type CheckboxProps = {
  readonly label: ComponentChildren;
  readonly isChecked: boolean;
  readonly onChecked: (checked: boolean) => void;
  readonly hint?: ComponentChildren;
  readonly disabled?: boolean;
};

export function Checkbox({ isSwitch, ...props }: CheckboxProps & { readonly isSwitch?: boolean }) {
  const { label, isChecked, onChecked, hint, disabled } = props;
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        role={isSwitch ? 'switch' : undefined}
        class={isSwitch ? 'switch' : 'checkbox'}
        checked={isChecked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChecked(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {hint !== undefined && (
          <div id={`${id}-hint`} class="field-hint">
            {hint}
          </div>
        )}
      </div>
    </div>
  );
}

/** For what takes effect at once; a checkbox is for a form that is sent. */
export const Switch = (props: CheckboxProps) => <Checkbox {...props} isSwitch />;

type RadiosProps<V extends string> = {
  readonly label: string;
  readonly value: V;
  readonly onValue: (value: V) => void;
  readonly options: readonly (Option<V> & { readonly hint?: ComponentChildren })[];
};

export function Radios<V extends string>({ label, value, onValue, options }: RadiosProps<V>) {
  const name = useId();
  return (
    <fieldset class="field radios">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} class="check radio">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onValue(option.value)}
          />
          <span>
            {option.label}
            {option.hint !== undefined && <span class="field-hint">{option.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
