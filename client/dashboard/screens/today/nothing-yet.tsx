import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { TODAY } from '#client/dashboard/screens/today/today.catalog.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { LinkButton } from '#client/dashboard/ui/button.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';

/** What comes before the first payment. */
export function NothingYet() {
  const messages = useMessages(TODAY);
  const { can } = useSession();
  return (
    <Empty
      icon="payments"
      title={messages.nothingYet}
      action={
        <span class="row">
          {can('connections:write') && (
            <LinkButton tone="primary" href="/dashboard/connections">
              {messages.addConnection}
            </LinkButton>
          )}
          {can('api_keys:write') && <LinkButton href="/dashboard/developers">{messages.createKey}</LinkButton>}
        </span>
      }
    >
      {messages.nothingYetHint}
    </Empty>
  );
}
