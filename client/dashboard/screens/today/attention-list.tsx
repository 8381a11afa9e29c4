import type { ComponentChildren } from 'preact';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { attentionOf } from '#client/dashboard/screens/today/attention-groups.tsx';
import { TODAY } from '#client/dashboard/screens/today/today.catalog.ts';
import { Icon } from '#client/dashboard/ui/icon.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';

const REFRESH_MS = 60_000;

/** What waits for a person: each kind leads to its list, each line to the thing itself. */
export function AttentionList() {
  const messages = useMessages(TODAY);
  const formats = useFormats();
  const query = useQuery(['attention'], (api, options) => api.reports.getAttention({}, options), {
    every: REFRESH_MS,
  });
  return (
    <Section title={messages.attention} isCard>
      <Loaded query={query}>
        {(attention) => {
          const groups = attentionOf(attention, messages, formats);
          if (groups.length === 0)
            return (
              <Empty icon="check" title={messages.attentionNone}>
                {messages.attentionNoneHint}
              </Empty>
            );
          return (
            <ul class="attention">
              {groups.map((group) => (
                <AttentionGroup key={group.href} {...group} />
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Section>
  );
}

export type AttentionGroupProps = {
  readonly title: string;
  readonly href: string;
  readonly isUrgent: boolean;
  readonly items: readonly { readonly key: string; readonly href: string; readonly text: ComponentChildren }[];
};

const AttentionGroup = ({ title, href, isUrgent, items }: AttentionGroupProps) => (
  <li>
    <a class={`attention-title tone-${isUrgent ? 'bad' : 'warn'}`} href={href}>
      <Icon name={isUrgent ? 'error' : 'warning'} />
      {title}
    </a>
    <ul>
      {items.map((item) => (
        <li key={item.key}>
          <a href={item.href}>{item.text}</a>
        </li>
      ))}
    </ul>
  </li>
);
