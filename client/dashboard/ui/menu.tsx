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
  readonly children: (close: () => void) => ComponentChildren;
};

/** A button that opens a small panel. Esc, a press elsewhere, or leaving it with Tab closes it. */
export function Menu({ label, button, buttonClass = 'button button-quiet', align = 'start', children }: MenuProps) {
  const { box, opener, isOpen, setOpen, onKeyDown } = useOpen();
  const id = useId();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears Esc of the controls inside.
    <div class="menu" ref={box} onKeyDown={onKeyDown}>
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
        <div id={id} class={`menu-panel menu-${align}`}>
          {children(() => setOpen(false))}
        </div>
      )}
    </div>
  );
}

/** Whether the panel is open. Esc closes it and gives the focus back to its button. */
function useOpen() {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useCloseElsewhere(box, isOpen, () => setOpen(false));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    // In a drawer, Esc would close that too.
    event.preventDefault();
    setOpen(false);
    opener.current?.focus();
  };
  return { box, opener, isOpen, setOpen, onKeyDown };
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
