import type { ComponentChildren } from 'preact';
import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import { CopyButton } from '#client/dashboard/ui/copy-button.tsx';

type MoneyProps = { readonly amount: number; readonly currency: string; readonly isMuted?: boolean };

/** An amount of minor units. The code stands beside it, as $ and ¥ are signs of several currencies. */
export function Money({ amount, currency, isMuted }: MoneyProps) {
  const text = useFormats().moneyBare(amount, currency);
  return (
    <span class={isMuted ? 'money muted' : 'money'}>
      {text}
      {!text.includes(currency) && <span class="money-code"> {currency}</span>}
    </span>
  );
}

type IdProps = { readonly id: string; readonly href?: string | undefined; readonly canCopy?: boolean };

/** An ID, to read and to copy. */
export const Id = ({ id, href, canCopy = true }: IdProps) => (
  <span class="id">
    {href ? (
      <a href={href}>
        <code>{id}</code>
      </a>
    ) : (
      <code>{id}</code>
    )}
    {canCopy && <CopyButton text={id} />}
  </span>
);

export type KeyValueItem = readonly [label: string, value: ComponentChildren];

type KeyValueProps = { readonly items: readonly (KeyValueItem | false)[]; readonly columns?: 2 };

const hasValue = (item: KeyValueItem | false): item is KeyValueItem =>
  item !== false && item[1] !== null && item[1] !== undefined && item[1] !== '';

/** Facts about one thing. Items without a value (null, undefined, empty) are left out. */
export const KeyValue = ({ items, columns }: KeyValueProps) => (
  <dl class={columns === 2 ? 'facts facts-2' : 'facts'}>
    {items.filter(hasValue).map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
