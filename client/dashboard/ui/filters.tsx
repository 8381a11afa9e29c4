import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { type Option, Select } from '#client/dashboard/ui/choices.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';

type FilterValues<Name extends string> = { [N in Name]?: string };

export type Filters<Name extends string> = {
  readonly values: Readonly<FilterValues<Name>>;
  readonly isFiltered: boolean;
  /** An empty value takes the filter off. */
  readonly set: (name: Name, value: string) => void;
  readonly setAll: (values: Readonly<FilterValues<Name>>) => void;
  readonly clear: () => void;
  /** The same screen with these filters, for links. */
  readonly address: (values: Readonly<FilterValues<Name>>) => string;
};

/** The values that a filter has. A filter that is not among them takes any text. */
type FilterChoices<Name extends string> = { readonly [N in Name]?: readonly string[] };

/**
 * The filters of a screen are its address: they can be sent to somebody, and the back button undoes them. A value that is
 * no choice filters nothing, and leaves the address.
 */
export function useFilters<Name extends string>(
  names: readonly Name[],
  choices: FilterChoices<Name> = {},
): Filters<Name> {
  const { path, query, route } = useLocation();
  const values: FilterValues<Name> = {};
  const asked = names.filter((name) => query[name]);
  const known = asked.filter((name) => choices[name]?.includes(query[name] ?? '') ?? true);
  for (const name of known) values[name] = query[name];
  const address = (wanted: FilterValues<Name>): string => {
    const text = new URLSearchParams(query);
    for (const name of names) text.delete(name);
    for (const name of names) if (wanted[name]) text.set(name, wanted[name]);
    return text.size === 0 ? path : `${path}?${text}`;
  };
  const hasUnknown = known.length < asked.length;
  useEffect(() => {
    if (hasUnknown) route(address(values), true);
  }, [hasUnknown]);
  return {
    values,
    isFiltered: Object.keys(values).length > 0,
    set: (name, value) => route(address({ ...values, [name]: value })),
    setAll: (wanted) => route(address(wanted)),
    clear: () => route(address({})),
    address,
  };
}

type FilterBarProps<Name extends string> = { readonly filters: Filters<Name>; readonly children: ComponentChildren };

export function FilterBar<Name extends string>({ filters, children }: FilterBarProps<Name>) {
  const { clearFilters } = useMessages(FRAME);
  return (
    <search class="filters">
      {children}
      {filters.isFiltered && (
        <Button tone="quiet" icon="close" onClick={filters.clear}>
          {clearFilters}
        </Button>
      )}
    </search>
  );
}

type FilterProps<Name extends string> = {
  readonly filters: Filters<Name>;
  readonly name: Name;
  readonly label: string;
};

type FilterSelectProps<Name extends string> = FilterProps<Name> & { readonly options: readonly Option[] };

/** Its first option takes it off. */
export function FilterSelect<Name extends string>({ filters, name, label, options }: FilterSelectProps<Name>) {
  const { all } = useMessages(FRAME);
  return (
    <Select
      label={label}
      value={filters.values[name] ?? ''}
      options={[{ value: '', label: all }, ...options]}
      onValue={(value) => filters.set(name, value)}
    />
  );
}

type FilterInputProps<Name extends string> = FilterProps<Name> & {
  readonly type?: 'text' | 'search' | 'date';
  readonly suggestions?: readonly string[];
};

/** Text takes effect with Enter or when the field is left, so that not every letter is a request; a date at once. */
export function FilterInput<Name extends string>(props: FilterInputProps<Name>) {
  const { filters, name, label, type = 'search', suggestions } = props;
  const applied = filters.values[name] ?? '';
  const [text, setText] = useState(applied);
  useEffect(() => setText(applied), [applied]);
  const apply = (value: string): void => {
    if (value.trim() !== applied) filters.set(name, value.trim());
  };
  return (
    <form
      class="filter"
      onSubmit={(event) => {
        event.preventDefault();
        apply(text);
      }}
      onFocusOut={() => apply(text)}
    >
      <Input
        {...{ label, type, suggestions }}
        value={text}
        onValue={(value) => {
          setText(value);
          if (type === 'date') apply(value);
        }}
      />
    </form>
  );
}
