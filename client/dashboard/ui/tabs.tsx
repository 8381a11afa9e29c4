type TabLink = {
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly count?: number | undefined;
};

/** Where the tabs are wider than a phone, the one that is open is seen. */
const showCurrent = (tab: HTMLElement | null): void => {
  const bar = tab?.parentElement;
  if (bar && tab) bar.scrollLeft = tab.offsetLeft + tab.offsetWidth - bar.clientWidth;
};

/** Parts of one screen, each with its own address: links, so that back, forward and new tabs work. */
export const Tabs = ({ label, tabs }: { readonly label: string; readonly tabs: readonly TabLink[] }) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ label: name, href, isCurrent, count }) => (
      <a
        key={href}
        href={href}
        class="tab"
        aria-current={isCurrent ? 'page' : undefined}
        ref={isCurrent ? showCurrent : undefined}
      >
        {name}
        {count !== undefined && count > 0 && <span class="tab-count">{count}</span>}
      </a>
    ))}
  </nav>
);

type SegmentsProps<V extends string> = {
  readonly label: string;
  readonly value: V;
  readonly onValue: (value: V) => void;
  readonly options: readonly { readonly value: V; readonly label: string }[];
};

/** A choice of two to five, all seen at once. */
export const Segments = <V extends string>({ label, value, onValue, options }: SegmentsProps<V>) => (
  <fieldset class="segments" aria-label={label}>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        class="segment"
        aria-pressed={option.value === value}
        onClick={() => onValue(option.value)}
      >
        {option.label}
      </button>
    ))}
  </fieldset>
);
