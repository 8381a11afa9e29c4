import { useConnectionList } from '#client/dashboard/api/use-connection-list.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENT } from '#client/dashboard/screens/payment/payment.catalog.ts';
import type { PaymentMessages } from '#client/dashboard/screens/payment/payment-messages.ts';
import type { EntryOf } from '#client/dashboard/screens/payment/timeline-kinds.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { wordsOf } from '#client/dashboard/ui/badge.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';

type Routed = EntryOf<'routed'>;
type RoutingLineProps = { readonly entry: Routed; readonly payment: Payment };

const named = (id: string, provider: string | undefined): string =>
  provider === undefined ? id : `${providerName(provider)} (${id})`;

/** Why the payment went where it went, in names. A rule or connection that was deleted since keeps its id. */
export function RoutingLine({ entry, payment }: RoutingLineProps) {
  const texts = useMessages(PAYMENT);
  const { can } = useSession();
  const mayAsk = can('connections:read');
  const ruleId = entry.rule_id ?? '';
  const rule = useQuery(['routing-rule', ruleId], (api, options) => api.routingRules.get(ruleId, {}, options), {
    enabled: mayAsk && entry.rule_id !== null,
  }).data?.name;
  const unused = entry.considered.filter(({ usable, reason }) => !usable && reason);
  const connections = useConnectionList(unused.length > 0);
  const nameOf = (id: string): string => named(id, connections.find((connection) => connection.id === id)?.provider);
  return (
    <>
      <p>{sentenceOf(entry, rule ?? ruleId, chosenOf(entry, payment, texts), texts)}</p>
      {entry.stopped && <p>{texts.routingStopped}</p>}
      {unused.map(({ connection_id, reason }) => (
        <p key={connection_id} class="muted">
          {nameOf(connection_id)}: {wordsOf(reason ?? '')}
        </p>
      ))}
      {mayAsk && (
        <p>
          <a href={simulatorOf(payment)}>{texts.simulate}</a>
        </p>
      )}
    </>
  );
}

function sentenceOf({ source, variant, rule_id }: Routed, rule: string, chosen: string, texts: PaymentMessages) {
  if (source === 'ab_test') return texts.byTest(variant ?? '', chosen);
  if (source === 'rule') return texts.byRule(rule, chosen);
  return rule_id === null ? texts.byDefault(chosen) : texts.pastRule(rule, chosen);
}

/** The attempt that the decision has started: its provider, by the name that people know. */
function chosenOf({ at }: Routed, { attempts }: Payment, texts: PaymentMessages): string {
  const attempt = attempts.find(({ started_at }) => started_at >= at);
  return attempt ? named(attempt.connection_id, attempt.provider) : texts.noConnection;
}

function simulatorOf({ id, amount, currency, country, method, capture }: Payment): string {
  const facts = { amount: String(amount), currency, ...(country && { country }), method, capture, payment: id };
  return `/dashboard/routing/simulator?${new URLSearchParams(facts)}`;
}
