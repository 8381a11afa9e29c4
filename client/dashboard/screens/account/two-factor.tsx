import { useState } from 'preact/hooks';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useAction } from '#client/dashboard/api/use-action.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { ACCOUNT } from '#client/dashboard/screens/account/account.catalog.ts';
import { SetUpDialog } from '#client/dashboard/screens/account/set-up-dialog.tsx';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Badge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ActionProblem, ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { CodeInput } from '#client/dashboard/ui/field.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { TotpSetup } from '#client/typescript/src/index.ts';

export function TwoFactor() {
  const texts = useMessages(ACCOUNT);
  const { user, reloadSession } = useSession();
  const [setup, setSetup] = useState<TotpSetup>();
  const [isTurningOff, setTurningOff] = useState(false);
  const begin = useAction((api) => api.auth.setUpTotp(), setSetup, { isSafe: true });
  const changed = (text: string) => {
    setSetup(undefined);
    setTurningOff(false);
    invalidate('sessions');
    reloadSession();
    showToast(text);
  };
  const action = user.totp_enabled ? (
    <Button onClick={() => setTurningOff(true)}>{texts.turnOff}</Button>
  ) : (
    <Button tone="primary" isPending={begin.isPending} onClick={() => begin.run(undefined)}>
      {texts.setUp}
    </Button>
  );
  return (
    <Section title={texts.totp} description={<State />} actions={action}>
      <ActionProblem problem={begin.problem} isUnknown={false} />
      {setup && (
        <SetUpDialog setup={setup} onDone={() => changed(texts.turnedOn)} onClose={() => setSetup(undefined)} />
      )}
      {isTurningOff && <TurnOffDialog onDone={() => changed(texts.turnedOff)} onClose={() => setTurningOff(false)} />}
    </Section>
  );
}

function State() {
  const texts = useMessages(ACCOUNT);
  const { totp_enabled } = useSession().user;
  return (
    <span class="row">
      <Badge tone={totp_enabled ? 'good' : 'warn'} icon={totp_enabled ? 'check' : 'warning'}>
        {totp_enabled ? texts.on : texts.off}
      </Badge>
      {texts.totpHint}
    </span>
  );
}

type TurnOffProps = { readonly onDone: () => void; readonly onClose: () => void };

function TurnOffDialog({ onDone, onClose }: TurnOffProps) {
  const texts = useMessages(ACCOUNT);
  const [code, setCode] = useState('');
  return (
    <ConfirmDialog
      title={texts.turnOffTitle}
      confirm={texts.turnOff}
      tone="danger"
      input={code.trim() === '' ? undefined : { code: code.trim() }}
      send={(api, input) => api.auth.disableTotp(input)}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{texts.turnOffHint}</p>
      <CodeInput label={texts.code} hint={texts.codeHint} value={code} onValue={setCode} />
    </ConfirmDialog>
  );
}
