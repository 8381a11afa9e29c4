import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import type { Place } from '#client/dashboard/shell/navigation.ts';
import { Dialog } from '#client/dashboard/ui/dialog.tsx';

type ShortcutHelpProps = { readonly places: readonly Place[]; readonly onClose: () => void };

export function ShortcutHelp({ places, onClose }: ShortcutHelpProps) {
  const messages = useMessages(FRAME);
  const general = [
    [['/'], messages.shortcutSearch],
    [['?'], messages.shortcutHelp],
    [['Esc'], messages.shortcutClose],
    [['j', 'k'], messages.shortcutRows],
  ] as const;
  const goTo = places.map(({ name, key }) => [['g', key], messages.shortcutGo(messages.nav[name])] as const);
  return (
    <Dialog title={messages.shortcuts} onClose={onClose}>
      <dl class="shortcuts">
        {[...general, ...goTo].map(([keys, text]) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
