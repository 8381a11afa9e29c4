import { wordsOf } from '#client/dashboard/ui/badge.tsx';
import { Icon } from '#client/dashboard/ui/icon.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { KeyValue } from '#client/dashboard/ui/values.tsx';
import type { Connection } from '#client/typescript/src/index.ts';

type Props = { readonly connection: Connection };

const ABILITIES = [
  ['refunds', 'Refunds'],
  ['partial_refunds', 'Partial refunds'],
  ['cancel', 'Cancel'],
  ['off_session', 'Charges without the customer'],
  ['manual_capture', 'Capture later'],
  ['partial_capture', 'Capture a part'],
  ['multi_capture', 'Capture several times'],
] as const;

/** What payments routing may send there, and what can be done with them. */
export function Capabilities({ connection: { capabilities, routing_hints, fee_structure } }: Props) {
  return (
    <Section title="What it can do" isCard>
      <div class="stack">
        <ul class="plain connection-abilities">
          {ABILITIES.map(([name, label]) => (
            <li key={name} class={capabilities[name] ? undefined : 'muted'}>
              <Icon name={capabilities[name] ? 'check' : 'minus'} size={14} />
              {label}
              {!capabilities[name] && <span class="visually-hidden">: no</span>}
            </li>
          ))}
        </ul>
        <KeyValue
          items={[
            ['Methods', capabilities.methods.map(wordsOf).join(', ')],
            ['Currencies', listOf(capabilities.currencies)],
            ['Countries', listOf(capabilities.countries)],
            ['Preferred countries', routing_hints.country_preference.join(', ')],
            routing_hints.fallback_only && ['Routing', 'Only if no other connection can'],
            fee_structure !== null && ['Fee', feeText(fee_structure)],
          ]}
        />
      </div>
    </Section>
  );
}

/** A long list is not read: it says how many there are. */
const MAX_LISTED = 24;

function listOf(codes: 'all' | readonly string[]): string {
  if (codes === 'all') return 'All';
  const rest = codes.length - MAX_LISTED;
  return rest > 0 ? `${codes.slice(0, MAX_LISTED).join(', ')} and ${rest} more` : codes.join(', ');
}

const feeText = ({ percentage, fixed }: NonNullable<Connection['fee_structure']>): string =>
  [percentage !== undefined && `${percentage} %`, fixed !== undefined && `${fixed} minor units`]
    .filter(Boolean)
    .join(' and ') || 'By method or currency';
