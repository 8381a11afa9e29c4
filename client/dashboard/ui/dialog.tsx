import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';

type DialogProps = {
  readonly title: string;
  /** Undefined: it cannot be closed. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
  readonly footer?: ComponentChildren;
  /** `drawer`: at the side, over the full height, for what is read beside a list. */
  readonly kind?: 'dialog' | 'drawer';
  readonly size?: 'wide';
};

/**
 * A modal dialog of the browser: it holds the focus, Esc closes it, and the focus goes back to where it was. It begins at
 * the first field, never at a button that changes something. It is open as long as it is drawn.
 */
export function Dialog({ title, onClose, children, footer, kind = 'dialog', size }: DialogProps) {
  const { close } = useMessages(FRAME);
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useModal(dialog);
  const cancel = (event: Event): void => {
    event.preventDefault();
    onClose?.();
  };
  // The second Esc in a row closes it whatever `cancel` says. Who draws it decides: it is opened again if it stays.
  const closed = (): void => {
    onClose?.();
    setTimeout(() => dialog.current?.isConnected && !dialog.current.open && dialog.current.showModal());
  };
  // A press that begins inside, such as one that selects text, and ends beside it is no press beside it.
  const pressed = useRef<EventTarget | null>(null);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press beside the dialog closes it; Esc does the same.
    <dialog
      ref={dialog}
      class={`dialog dialog-${kind} ${size ? `dialog-${size}` : ''}`}
      tabIndex={-1}
      aria-labelledby={titleId}
      onCancel={cancel}
      onClose={closed}
      onPointerDown={(event) => {
        pressed.current = event.target;
      }}
      onClick={({ target }) => target === dialog.current && pressed.current === target && onClose?.()}
    >
      <div class="dialog-box">
        <header class="dialog-header">
          <h2 id={titleId}>{title}</h2>
          {onClose && <Button tone="quiet" icon="close" label={close} onClick={onClose} />}
        </header>
        <div class="dialog-body">{children}</div>
        {footer !== undefined && <footer class="dialog-footer">{footer}</footer>}
      </div>
    </dialog>
  );
}

/** Opens it as it appears, and gives the focus back as it goes. */
function useModal(dialog: { readonly current: HTMLDialogElement | null }): void {
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    const field = dialog.current?.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea)');
    (field ?? dialog.current)?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
}

/** Details at the side of a list. */
export const Drawer = (props: Omit<DialogProps, 'kind'>) => <Dialog {...props} kind="drawer" />;
