import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import { useConnectionName } from '#client/dashboard/screens/routing/use-routing.ts';
import type { Tone } from '#client/dashboard/ui/alert.tsx';
import { Badge } from '#client/dashboard/ui/badge.tsx';
import { Icon, type IconName } from '#client/dashboard/ui/icon.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import type { RoutingRuleExplained } from '#client/typescript/src/index.ts';

type Look = { readonly text: string; readonly tone: Tone; readonly icon: IconName };

const LOOKS: Readonly<Record<RoutingRuleExplained['result'], Look>> = {
  decides: { text: 'Decides', tone: 'good', icon: 'check' },
  connection_unusable: { text: 'Matches, but its connection cannot take it', tone: 'warn', icon: 'warning' },
  earlier_rule: { text: 'Matches too, but an earlier rule decides', tone: 'neutral', icon: 'minus' },
  ab_test: { text: 'Matches, but an A/B test decides', tone: 'neutral', icon: 'minus' },
  no_match: { text: 'Does not match', tone: 'neutral', icon: 'close' },
};

/** Why each rule decides or does not, in the order in which they are tried. */
export const RulesExplained = ({ rules }: { readonly rules: readonly RoutingRuleExplained[] }) => (
  <Section title="Rules, in order">
    <ol class="rules" aria-label="Rules, in order">
      {rules.map((rule) => (
        <RuleExplained key={rule.id} rule={rule} />
      ))}
    </ol>
  </Section>
);

function RuleExplained({ rule }: { readonly rule: RoutingRuleExplained }) {
  const nameOf = useConnectionName();
  const { text, tone, icon } = LOOKS[rule.result];
  return (
    <li class={rule.result === 'decides' ? 'rule is-deciding' : 'rule'}>
      <span class="rule-place" aria-hidden="true">
        {rule.position}
      </span>
      <div class="rule-text">
        <div class="row">
          <span>
            <span class="strong">{rule.name || 'New rule'}</span>{' '}
            <span class="muted">→ {nameOf(rule.connection_id)}</span>
          </span>
          <Badge tone={tone} icon={icon}>
            {text}
          </Badge>
        </div>
        <Conditions conditions={rule.conditions} />
      </div>
    </li>
  );
}

type ConditionsProps = { readonly conditions: RoutingRuleExplained['conditions'] };

/** Each condition with what the payment has. That a rule is turned on goes without saying. */
export function Conditions({ conditions }: ConditionsProps) {
  const { country } = useFormats();
  return (
    <ul class="conditions">
      {conditions
        .filter(({ condition, holds }) => condition !== 'enabled' || !holds)
        .map(({ condition, holds, wanted, seen }) => (
          <li key={condition} class={holds ? 'condition' : 'condition condition-failed'}>
            <Icon name={holds ? 'check' : 'close'} size={12} />
            <span class="visually-hidden">{holds ? 'Holds: ' : 'Does not hold: '}</span>
            {textOf({ condition, holds, wanted, seen }, country)}
          </li>
        ))}
    </ul>
  );
}

type Condition = RoutingRuleExplained['conditions'][number];
const MAX_NAMED = 3;

function textOf({ condition, holds, wanted, seen }: Condition, country: (code: string) => string): string {
  if (condition === 'enabled') return 'turned off';
  const named = (code: string): string => (condition === 'country' ? country(code) : code);
  if (wanted.length === 0) return `any ${condition}`;
  const list = wanted.slice(0, MAX_NAMED).map(named).join(', ') + (wanted.length > MAX_NAMED ? ' …' : '');
  if (holds) return `${condition} ${named(seen ?? '')}`;
  return seen === null ? `no ${condition}; wants ${list}` : `${condition} ${named(seen)}; wants ${list}`;
}
