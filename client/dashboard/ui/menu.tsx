import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { classNames } from '#client/dashboard/ui/class-names.ts';
import { Icon, type IconName } from '#client/dashboard/ui/icon.tsx';

type MenuProps = {
  readonly label: string;
  /** What the button shows. */
  readonly button: ComponentChildren;
  readonly buttonClass?: string;
  /** On which side of the button it opens. */
  readonly align?: 'start' | 'end';
  readonly above?: boolean;
  readonly children: (close: () => void) => ComponentChildren;
};

/** A button that opens a small panel. Esc, a press elsewhere, or leaving it with Tab closes it. */
export function Menu({
  label,
  button,
  buttonClass = 'button button-quiet',
  align = 'start',
  above,
  children,
}: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = (): void => setOpen(false);
  useCloseElsewhere(box, isOpen, close);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears Esc of the controls inside.
    <div
      class="menu"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        close();
        opener.current?.focus();
      }}
    >
      <button
        ref={opener}
        type="button"
        class={buttonClass}
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && (
        <div id={id} class={classNames('menu-panel', `menu-${align}`, above && 'menu-above')}>
          {children(close)}
        </div>
      )}
    </div>
  );
}

function useCloseElsewhere(box: { readonly current: HTMLElement | null }, isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const onElsewhere = ({ target }: Event): void => {
      if (!(target instanceof Node) || !box.current?.contains(target)) close();
    };
    document.addEventListener('pointerdown', onElsewhere);
    document.addEventListener('focusin', onElsewhere);
    return () => {
      document.removeEventListener('pointerdown', onElsewhere);
      document.removeEventListener('focusin', onElsewhere);
    };
  }, [isOpen]);
}

type MenuItemProps = {
  readonly children: ComponentChildren;
  readonly onClick: () => void;
  readonly icon?: IconName;
  readonly isCurrent?: boolean;
  readonly isDanger?: boolean;
};

export const MenuItem = ({ children, onClick, icon, isCurrent, isDanger }: MenuItemProps) => (
  <button
    type="button"
    class={classNames('menu-item', isDanger && 'menu-danger')}
    aria-current={isCurrent ? 'true' : undefined}
    onClick={onClick}
  >
    {icon && <Icon name={icon} />}
    <span class="menu-text">{children}</span>
    {isCurrent && <Icon name="check" />}
  </button>
);
