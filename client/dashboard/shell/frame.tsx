import type { ComponentChildren } from 'preact';
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { BottomBar } from '#client/dashboard/shell/bottom-bar.tsx';
import { FreshProof } from '#client/dashboard/shell/fresh-proof.tsx';
import { placesFor } from '#client/dashboard/shell/navigation.ts';
import { SearchBox } from '#client/dashboard/shell/search-box.tsx';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { SessionEnded } from '#client/dashboard/shell/session-ended.tsx';
import { ShortcutHelp } from '#client/dashboard/shell/shortcut-help.tsx';
import { useShortcuts } from '#client/dashboard/shell/shortcuts.ts';
import { Sidebar } from '#client/dashboard/shell/sidebar.tsx';
import { usePlatformRole } from '#client/dashboard/shell/use-platform-role.ts';
import { UserMenu } from '#client/dashboard/shell/user-menu.tsx';
import { Badge } from '#client/dashboard/ui/badge.tsx';
import { Toasts } from '#client/dashboard/ui/toast.tsx';

/** What stands around every screen. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const messages = useMessages(FRAME);
  const session = useSession();
  const { route } = useLocation();
  const isPlatform = Boolean(usePlatformRole().data?.role);
  const places = useMemo(() => placesFor(session, isPlatform), [session, isPlatform]);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const searchBox = useRef<HTMLInputElement>(null);
  const help = useCallback(() => setHelpOpen(true), []);
  useShortcuts({ places, goTo: route, search: useCallback(() => searchBox.current?.focus(), []), help });
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={focusContent}>
        {messages.skip}
      </button>
      <Sidebar places={places} />
      <div class="frame-main">
        <header class="topbar">
          <SearchBox input={searchBox} />
          <StageBadge />
          <UserMenu onHelp={help} />
        </header>
        <main id="content" class="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      <BottomBar places={places} />
      {isHelpOpen && <ShortcutHelp places={places} onClose={() => setHelpOpen(false)} />}
      {session.hasEnded && <SessionEnded />}
      <FreshProof />
      <Toasts />
    </div>
  );
}

/** No link, as a hash in the address would be another page for the router. */
const focusContent = (): void => document.getElementById('content')?.focus();

/** Nobody may take test money for real money, or the reverse. */
function StageBadge() {
  const { sandbox, sandboxHint, live } = useMessages(FRAME);
  const isLive = useSession().stage === 'live';
  return (
    <span class="stage" title={isLive ? undefined : sandboxHint}>
      <Badge tone={isLive ? 'good' : 'warn'} icon={isLive ? 'check' : 'lab'}>
        {isLive ? live : sandbox}
      </Badge>
    </span>
  );
}
