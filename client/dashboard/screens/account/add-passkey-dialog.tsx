import { useState } from 'preact/hooks';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { ACCOUNT } from '#client/dashboard/screens/account/account.catalog.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { createPasskey } from '#client/dashboard/shell/webauthn.ts';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { CodeInput, Input } from '#client/dashboard/ui/field.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Passkey, Payfork } from '#client/typescript/src/index.ts';

type Wanted = { readonly name: string; readonly code?: string };

/** With a second factor on, its code is needed too: a passkey signs in without it. */
async function addPasskey(api: Payfork, { name, code }: Wanted, declined: string): Promise<Passkey> {
  const options = await api.auth.beginWebauthnRegistration(code === undefined ? {} : { code });
  return api.auth.finishWebauthnRegistration(await createPasskey(options, name, declined));
}

export function AddPasskeyDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useMessages(ACCOUNT);
  const needsCode = useSession().user.totp_enabled;
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const isComplete = name.trim() !== '' && (!needsCode || code.trim() !== '');
  const wanted: Wanted = { name: name.trim(), ...(needsCode && { code: code.trim() }) };
  return (
    <ConfirmDialog
      title={texts.addPasskey}
      confirm={texts.addPasskey}
      input={isComplete ? wanted : undefined}
      send={(api, sent) => addPasskey(api, sent, texts.declined)}
      onDone={() => {
        invalidate('passkeys', 'sessions');
        showToast(texts.passkeyAdded);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{texts.addPasskeyHint}</p>
      <Input label={texts.passkeyName} hint={texts.passkeyNameHint} value={name} onValue={setName} maxLength={200} />
      {needsCode && <CodeInput label={texts.code} hint={texts.codeHint} value={code} onValue={setCode} />}
    </ConfirmDialog>
  );
}
