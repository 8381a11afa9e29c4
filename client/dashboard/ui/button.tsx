import type { ComponentChildren } from 'preact';
import { classNames } from '#client/dashboard/ui/class-names.ts';
import { Icon, type IconName } from '#client/dashboard/ui/icon.tsx';

export type ButtonTone = 'primary' | 'secondary' | 'danger' | 'quiet';

type Look = {
  readonly tone?: ButtonTone;
  readonly icon?: IconName;
  readonly size?: 'small';
  /** Without children: the name for those who do not see the icon. */
  readonly label?: string;
  readonly children?: ComponentChildren;
};

type ButtonProps = Look & {
  readonly onClick?: (event: MouseEvent) => void;
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean;
  /** It shows that it works, and a second press does nothing. It keeps the focus. */
  readonly isPending?: boolean;
  readonly 'aria-expanded'?: boolean;
  readonly 'aria-controls'?: string;
  readonly 'aria-pressed'?: boolean;
  readonly 'aria-describedby'?: string;
};

const lookOf = ({ tone = 'secondary', size, children }: Look): string =>
  classNames('button', `button-${tone}`, size === 'small' && 'button-small', children === undefined && 'button-icon');

const inner = ({ icon, children }: Look) => [icon && <Icon key="icon" name={icon} />, children];

export function Button({
  tone,
  icon,
  size,
  label,
  children,
  onClick,
  type,
  disabled,
  isPending,
  ...aria
}: ButtonProps) {
  return (
    <button
      {...aria}
      type={type ?? 'button'}
      class={lookOf({ tone, size, children })}
      aria-label={label}
      title={children === undefined ? label : undefined}
      disabled={disabled}
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      onClick={(event) => (isPending ? event.preventDefault() : onClick?.(event))}
    >
      {inner({ icon, children })}
    </button>
  );
}

type LinkButtonProps = Look & { readonly href: string; readonly download?: string; readonly isExternal?: boolean };

/** A link that looks like a button: it goes somewhere, and changes nothing. */
export function LinkButton({ tone, icon, size, label, children, href, download, isExternal }: LinkButtonProps) {
  const external = isExternal ? { target: '_blank', rel: 'noreferrer' } : {};
  return (
    <a {...external} class={lookOf({ tone, size, children })} href={href} download={download} aria-label={label}>
      {inner({ icon, children })}
    </a>
  );
}
