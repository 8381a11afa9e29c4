import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { classNames } from '#client/dashboard/ui/class-names.ts';

export type FieldLook = {
  readonly label: string;
  /** The label is read out, but not seen: for filters, whose first option says what they are. */
  readonly isLabelHidden?: boolean;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
};

type ControlIds = { readonly id: string; readonly 'aria-describedby'?: string; readonly 'aria-invalid'?: boolean };

type FieldProps = FieldLook & { readonly children: (ids: ControlIds) => ComponentChildren };

/** A control with its label, hint and error, tied together for screen readers. */
export function Field({ label, isLabelHidden, hint, error, isOptional, children }: FieldProps) {
  const { optional } = useMessages(FRAME);
  const id = useId();
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const described = classNames(hint !== undefined && hintId, error !== undefined && errorId);
  const ids = { id, ...(described && { 'aria-describedby': described }), ...(error && { 'aria-invalid': true }) };
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
        {isOptional && <span class="field-optional"> ({optional})</span>}
      </label>
      {children(ids)}
      {hint !== undefined && (
        <div id={hintId} class="field-hint">
          {hint}
        </div>
      )}
      {error !== undefined && (
        <div id={errorId} class="field-error">
          {error}
        </div>
      )}
    </div>
  );
}

type TextProps = FieldLook & {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly name?: string;
  readonly disabled?: boolean;
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly autocomplete?: string;
  readonly maxLength?: number;
};

type InputProps = TextProps & {
  readonly type?: 'text' | 'email' | 'url' | 'number' | 'date' | 'datetime-local' | 'search' | 'password' | 'time';
  readonly inputMode?: 'decimal' | 'numeric' | 'email' | 'url' | 'text';
  readonly min?: string | number;
  readonly max?: string | number;
  readonly step?: string | number;
  readonly pattern?: string;
  /** Suggestions: the person may type anything else. */
  readonly suggestions?: readonly string[];
};

export function Input({ label, isLabelHidden, hint, error, isOptional, onValue, suggestions, ...input }: InputProps) {
  const list = useId();
  return (
    <Field {...{ label, isLabelHidden, hint, error, isOptional }}>
      {(ids) => (
        <>
          <input
            {...attributesOf(input, ids)}
            class="input"
            list={suggestions && list}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
          {suggestions && (
            <datalist id={list}>
              {suggestions.map((value) => (
                <option key={value} value={value} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

type CodeInputProps = FieldLook & Pick<TextProps, 'value' | 'onValue'>;

/** The code of an authenticator app or a recovery code. Browsers and password managers may fill it in. */
export const CodeInput = (props: CodeInputProps) => <Input {...props} autocomplete="one-time-code" maxLength={64} />;

/** As plain attributes: their types differ with the input's type, which is only known when it is drawn. */
const attributesOf = (input: object, ids: ControlIds): object => ({ autocomplete: 'off', ...input, ...ids });

type TextareaProps = TextProps & { readonly rows?: number; readonly isCode?: boolean };

export function Textarea({ label, isLabelHidden, hint, error, isOptional, onValue, isCode, ...area }: TextareaProps) {
  return (
    <Field {...{ label, isLabelHidden, hint, error, isOptional }}>
      {(ids) => (
        <textarea
          rows={4}
          {...area}
          {...ids}
          class={classNames('input', isCode && 'input-code')}
          spellcheck={!isCode}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
