import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { problemOf } from '#client/dashboard/api/api-problem.ts';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useI18n, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { LANGUAGE_NAMES, LANGUAGES } from '#client/dashboard/i18n/languages.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { applyTheme, chosenTheme, THEMES } from '#client/dashboard/shell/theme.ts';
import { Select } from '#client/dashboard/ui/choices.tsx';
import { Icon, type IconName } from '#client/dashboard/ui/icon.tsx';
import { Menu, MenuItem } from '#client/dashboard/ui/menu.tsx';
import { Segments } from '#client/dashboard/ui/tabs.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';

type UserMenuProps = { readonly onHelp: () => void };

/** Who is signed in, and how they like to see the dashboard. */
export function UserMenu({ onHelp }: UserMenuProps) {
  const messages = useMessages(FRAME);
  const { user, signOut } = useSession();
  const { route } = useLocation();
  const item = (icon: IconName, text: string, onClick: () => void) => (
    <MenuItem icon={icon} onClick={onClick}>
      {text}
    </MenuItem>
  );
  return (
    <Menu label={messages.userMenu} align="end" button={<Icon name="user" />}>
      {(close) => (
        <>
          <p class="menu-who">{user.email}</p>
          <LookChoices />
          <hr />
          {item('settings', messages.nav.account, () => {
            close();
            route('/dashboard/account');
          })}
          {item('info', messages.shortcuts, () => {
            close();
            onHelp();
          })}
          {item('sign-out', messages.signOut, () => {
            signOut().catch((error) =>
              showToast(problemOf(error).status === 0 ? messages.offline : problemOf(error).message, 'bad'),
            );
          })}
        </>
      )}
    </Menu>
  );
}

function LookChoices() {
  const messages = useMessages(FRAME);
  const { language, setLanguage } = useI18n();
  const [theme, setTheme] = useState(chosenTheme);
  const themes = { system: messages.themeSystem, light: messages.themeLight, dark: messages.themeDark };
  return (
    <div class="menu-form">
      <Segments
        label={messages.theme}
        value={theme}
        options={THEMES.map((value) => ({ value, label: themes[value] }))}
        onValue={(next) => {
          applyTheme(next);
          setTheme(next);
        }}
      />
      <Select
        label={messages.language}
        value={language}
        options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        onValue={(next) => void setLanguage(next)}
      />
    </div>
  );
}
