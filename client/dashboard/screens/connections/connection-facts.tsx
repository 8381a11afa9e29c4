import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import {
  Health,
  Labels,
  Latency,
  SuccessRate,
  Validation,
} from '#client/dashboard/screens/connections/connection-values.tsx';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { Id, KeyValue, type KeyValueItem } from '#client/dashboard/ui/values.tsx';
import type { Connection } from '#client/typescript/src/index.ts';

/** How the connection does, and what the provider said of its credentials. */
export function ConnectionFacts({ connection }: { readonly connection: Connection }) {
  return (
    <Section title="How it does" isCard>
      <div class="stack">
        <Warnings connection={connection} />
        <KeyValue items={itemsOf(connection, useFormats().number)} />
      </div>
    </Section>
  );
}

const itemsOf = (connection: Connection, number: (value: number) => string): readonly (KeyValueItem | false)[] => [
  ['Health', <Health key="health" connection={connection} />],
  ['Success of all calls', <SuccessRate key="success" connection={connection} />],
  ['Average latency', <Latency key="latency" connection={connection} />],
  ['Calls', `${number(connection.total_calls)}, of which ${number(connection.failed_calls)} failed`],
  connection.last_success_at !== null && ['Last success', <Time key="s" at={connection.last_success_at} />],
  connection.last_failure_at !== null && ['Last failure', <Time key="f" at={connection.last_failure_at} />],
  ['Credentials', <Validation key="validation" connection={connection} />],
  connection.last_validated_at !== null && ['Checked', <Time key="v" at={connection.last_validated_at} />],
  ['Labels', <Labels key="labels" labels={connection.labels} />],
  ['Address for callbacks', <Id key="callback" id={connection.callback_url} />],
  connection.foreign_events > 0 && ['Events of others’ charges', number(connection.foreign_events)],
  ['Created', <Time key="created" at={connection.created_at} />],
];

/** What somebody should do something about. */
function Warnings({ connection }: { readonly connection: Connection }) {
  const { last_validation_status, last_validation_error, name_match_status, health_status, status } = connection;
  return (
    <>
      {status === 'active' && health_status === 'down' && (
        <Alert tone="bad" title="The provider is down" isLive={false}>
          Most calls of the last 20 minutes failed. Routing avoids it as long as there is another connection.
        </Alert>
      )}
      {last_validation_status === 'invalid' && (
        <Alert tone="bad" title="The provider refuses these credentials" isLive={false}>
          {last_validation_error ?? 'Exchange them for new ones.'}
        </Alert>
      )}
      {name_match_status === 'mismatch' && (
        <Alert tone="warn" title="Another name" isLive={false}>
          The account belongs to another name than this organization’s legal name.
        </Alert>
      )}
    </>
  );
}
