import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { ACCOUNT } from '#client/dashboard/screens/account/account.catalog.ts';
import { Passkeys } from '#client/dashboard/screens/account/passkeys.tsx';
import { Sessions } from '#client/dashboard/screens/account/sessions.tsx';
import { TwoFactor } from '#client/dashboard/screens/account/two-factor.tsx';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Page } from '#client/dashboard/ui/page.tsx';

/** How a person signs in, and where they are signed in. */
export function AccountScreen() {
  const texts = useMessages(ACCOUNT);
  const { user } = useSession();
  return (
    <Page title={texts.title} subtitle={user.email}>
      <TwoFactor />
      <Passkeys />
      <Sessions />
    </Page>
  );
}
