import { useState } from 'preact/hooks';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import { FraudForm } from '#client/dashboard/screens/routing/fraud-form.tsx';
import { LIST_NAMES, LISTS, VELOCITY_FIELDS } from '#client/dashboard/screens/routing/fraud-words.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { KeyValue, type KeyValueItem } from '#client/dashboard/ui/values.tsx';
import type { FraudPolicy } from '#client/typescript/src/index.ts';

export function FraudPolicyPanel() {
  const { can } = useSession();
  const [isEdited, setEdited] = useState(false);
  const query = useQuery(['fraud-policy'], (api, options) => api.policies.getFraudPolicy({}, options));
  const edit = can('fraud:write') && query.data && (
    <Button icon="edit" onClick={() => setEdited(true)}>
      Edit the fraud policy
    </Button>
  );
  return (
    <Section
      title="Fraud policy"
      description="Looks at a payment before any provider is asked. A match in what is allowed overrides everything else."
      actions={edit}
      isCard
    >
      <Loaded query={query}>
        {(policy) => (
          <>
            <Policy policy={policy} />
            {isEdited && <FraudForm policy={policy} onClose={() => setEdited(false)} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Policy({ policy }: { readonly policy: FraudPolicy }) {
  const { money } = useFormats();
  const { enabled, action, max_amount, velocity, blocked, allowed, updated_at } = policy;
  const amounts = Object.entries(max_amount).map(([currency, amount]) => money(amount, currency));
  return (
    <KeyValue
      columns={2}
      items={[
        ['State', <StatusBadge key="state" status={enabled ? 'enabled' : 'off'} />],
        ['What it does', action === 'block' ? 'Blocks what it finds' : 'Lets it pass, and flags it'],
        ['Largest amounts', amounts.join(', ')],
        velocity.length > 0 && ['How often', <VelocityRules key="velocity" velocity={velocity} />],
        ...listItems('Blocked', blocked),
        ...listItems('Allowed', allowed),
        updated_at !== null && ['Changed', <Time key="changed" at={updated_at} />],
      ]}
    />
  );
}

function VelocityRules({ velocity }: Pick<FraudPolicy, 'velocity'>) {
  const { money, plural } = useFormats();
  return (
    <ul class="plain-list">
      {velocity.map(({ field, max_payments, max_amount, currency, window }) => {
        const payments = plural(max_payments, { one: '# payment', other: '# payments' });
        const amount = max_amount !== undefined && currency ? ` or ${money(max_amount, currency)}` : '';
        return (
          <li key={`${field} ${window} ${currency}`}>
            At most {payments}
            {amount} in {window} by the same {VELOCITY_FIELDS[field] ?? field}
          </li>
        );
      })}
    </ul>
  );
}

const MAX_SHOWN = 8;

const listItems = (kind: string, lists: FraudPolicy['blocked']): readonly (KeyValueItem | false)[] =>
  LISTS.map((name) => {
    const entries = lists[name];
    const more = entries.length - MAX_SHOWN;
    const shown = entries.slice(0, MAX_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
    return (
      entries.length > 0 &&
      ([
        `${kind} ${LIST_NAMES[name]}`,
        <span key={name} class="wraps">
          {shown}
        </span>,
      ] as const)
    );
  });
