import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { ApiProblem } from '#client/dashboard/api/api-problem.ts';
import { invalidateAll } from '#client/dashboard/api/query-cache.ts';
import { type Send, useAction } from '#client/dashboard/api/use-action.ts';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Dialog } from '#client/dashboard/ui/dialog.tsx';

type ConfirmDialogProps<Input, Result> = {
  readonly title: string;
  /** The verb of the button, such as `Refund €12.00`. */
  readonly confirm: string;
  readonly tone?: 'primary' | 'danger';
  /** What is sent. Undefined: the form is not complete, and the button is off. */
  readonly input: Input | undefined;
  readonly send: Send<Input, Result>;
  readonly onDone: (result: Result) => void;
  readonly onClose: () => void;
  /** Says what will happen; may hold fields. Gets the API's refusal, for `fieldError`. */
  readonly children: ComponentChildren | ((problem: ApiProblem | undefined) => ComponentChildren);
  readonly size?: 'wide';
};

/** What the fields of such a dialog get: what is typed so far, and the API's refusal of it. */
export type FieldsProps<Draft> = {
  readonly draft: Draft;
  readonly problem: ApiProblem | undefined;
  readonly change: (part: Partial<Draft>) => void;
};

/**
 * Asks before a change, and sends it with one idempotency key, made when the dialog opens. While the outcome is
 * unknown the fields are locked: pressing again repeats the same request. The key is gone when the dialog closes, so only
 * its button closes it then, and what is shown is loaded again: it says whether the change has happened.
 */
export function ConfirmDialog<Input, Result>(props: ConfirmDialogProps<Input, Result>) {
  const { title, confirm, tone = 'primary', input, send, onDone, onClose, children, size } = props;
  const messages = useMessages(FRAME);
  const action = useAction(send, onDone);
  const form = useId();
  const submit = (event: Event): void => {
    event.preventDefault();
    if (input !== undefined) void action.run(input);
  };
  const giveUp = (): void => {
    if (action.isUnknown) invalidateAll();
    onClose();
  };
  const footer = (
    <>
      <Button onClick={giveUp} disabled={action.isPending}>
        {messages.cancel}
      </Button>
      <SubmitButton form={form} tone={tone} isPending={action.isPending} isOff={input === undefined}>
        {action.isUnknown ? messages.tryAgain : confirm}
      </SubmitButton>
    </>
  );
  return (
    <Dialog
      title={title}
      size={size}
      onClose={action.isUnknown ? undefined : () => !action.isPending && onClose()}
      footer={footer}
    >
      <form id={form} class="stack" onSubmit={submit}>
        <fieldset class="plain stack" disabled={action.isPending || action.isUnknown}>
          {typeof children === 'function' ? children(action.problem) : children}
        </fieldset>
        <ActionProblem problem={action.problem} isUnknown={action.isUnknown} />
      </form>
    </Dialog>
  );
}

type SubmitProps = {
  readonly form: string;
  readonly tone: 'primary' | 'danger';
  readonly isPending: boolean;
  readonly isOff: boolean;
  readonly children: ComponentChildren;
};

/** It stands outside of its form, in the dialog's footer. */
const SubmitButton = ({ form, tone, isPending, isOff, children }: SubmitProps) => (
  <button
    type="submit"
    form={form}
    class={`button button-${tone}`}
    disabled={isOff}
    aria-disabled={isPending || undefined}
    aria-busy={isPending || undefined}
  >
    {children}
  </button>
);

type ProblemProps = { readonly problem: ApiProblem | undefined; readonly isUnknown: boolean };

/** Why the API refused, in its words; or that nobody knows whether it happened. */
export function ActionProblem({ problem, isUnknown }: ProblemProps) {
  const { outcomeUnknown } = useMessages(FRAME);
  if (!problem) return null;
  return (
    <Alert tone={isUnknown ? 'warn' : 'bad'}>
      <p>{isUnknown ? outcomeUnknown : problem.message}</p>
      {problem.details.length > 0 && (
        <ul>
          {problem.details.map(({ path, message }) => (
            <li key={path}>
              <code>{path.replace(/^body\./, '')}</code>: {message}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
