import { useState } from 'preact/hooks';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { ACCOUNT } from '#client/dashboard/screens/account/account.catalog.ts';
import { LinkButton } from '#client/dashboard/ui/button.tsx';
import { Checkbox } from '#client/dashboard/ui/choices.tsx';
import { Code } from '#client/dashboard/ui/code.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import type { TotpSetup } from '#client/typescript/src/index.ts';

type SetUpDialogProps = { readonly setup: TotpSetup; readonly onDone: () => void; readonly onClose: () => void };

/** The secret and the recovery codes are shown this once. They count when a code has proved that the app has them. */
export function SetUpDialog({ setup: { secret, otpauth_url, recovery_codes }, onDone, onClose }: SetUpDialogProps) {
  const texts = useMessages(ACCOUNT);
  const [code, setCode] = useState('');
  const [isStored, setStored] = useState(false);
  const isComplete = isStored && code.trim() !== '';
  return (
    <ConfirmDialog
      title={texts.setUpTitle}
      confirm={texts.turnOn}
      input={isComplete ? { code: code.trim() } : undefined}
      send={(api, input) => api.auth.enableTotp(input)}
      onDone={onDone}
      onClose={onClose}
    >
      <ol class="steps">
        <li class="stack-small">
          <p>{texts.stepApp}</p>
          <LinkButton href={otpauth_url} icon="external">
            {texts.openApp}
          </LinkButton>
          <Code label={texts.secret} text={secret} />
        </li>
        <li class="stack-small">
          <p>{texts.stepCodes}</p>
          <Code label={texts.recoveryCodes} text={recovery_codes.join('\n')} />
          <Checkbox label={texts.codesStored} isChecked={isStored} onChecked={setStored} />
        </li>
        <li class="stack-small">
          <p>{texts.stepCode}</p>
          <Input
            label={texts.appCode}
            value={code}
            onValue={setCode}
            inputMode="numeric"
            autocomplete="one-time-code"
            maxLength={64}
          />
        </li>
      </ol>
    </ConfirmDialog>
  );
}
