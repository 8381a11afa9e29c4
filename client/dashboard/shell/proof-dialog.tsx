import { useState } from 'preact/hooks';
import { useAction } from '#client/dashboard/api/use-action.ts';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import type { ProofDialogProps } from '#client/dashboard/shell/fresh-proof.tsx';
import { PROOF } from '#client/dashboard/shell/proof.catalog.ts';
import type { ProofMethod } from '#client/dashboard/shell/proof-request.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { hasPasskeys, signWithPasskey } from '#client/dashboard/shell/webauthn.ts';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ActionProblem } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Dialog } from '#client/dashboard/ui/dialog.tsx';
import { CodeInput, Input } from '#client/dashboard/ui/field.tsx';

/** A new code is sent after a lost response, not the old one again. */
const SAFE = { isSafe: true } as const;

type MethodProps = { readonly onProved: () => void };

/** Asks who the person is, in one of the ways that the API takes. */
export function ProofDialog({ request: { methods, settle } }: ProofDialogProps) {
  const texts = useMessages(PROOF);
  const { cancel } = useMessages(FRAME);
  const usable = methods.filter((method) => method !== 'passkey' || hasPasskeys());
  const onProved = () => settle(true);
  return (
    <Dialog
      title={texts.title}
      onClose={() => settle(false)}
      footer={<Button onClick={() => settle(false)}>{cancel}</Button>}
    >
      <div class="stack">
        <p>{texts.why}</p>
        {usable.length === 0 && <Alert tone="warn">{texts.noPasskeys}</Alert>}
        {usable.map((method) => {
          const Method = METHODS[method];
          return <Method key={method} onProved={onProved} />;
        })}
      </div>
    </Dialog>
  );
}

function PasskeyProof({ onProved }: MethodProps) {
  const { usePasskey, declined } = useMessages(PROOF);
  const action = useAction(
    async (api) => {
      const passkey = await signWithPasskey(await api.auth.beginWebauthnAuthentication(), declined);
      return api.auth.proveIdentity({ passkey });
    },
    onProved,
    SAFE,
  );
  return (
    <div class="stack-small">
      <Button tone="primary" icon="key" isPending={action.isPending} onClick={() => action.run(undefined)}>
        {usePasskey}
      </Button>
      <ActionProblem problem={action.problem} isUnknown={false} />
    </div>
  );
}

function TotpProof({ onProved }: MethodProps) {
  const texts = useMessages(PROOF);
  const [code, setCode] = useState('');
  const action = useAction((api, sent: string) => api.auth.proveIdentity({ code: sent }), onProved, SAFE);
  return (
    <form
      class="stack-small"
      onSubmit={(event) => {
        event.preventDefault();
        if (code.trim() !== '') void action.run(code.trim());
      }}
    >
      <CodeInput label={texts.code} hint={texts.codeHint} value={code} onValue={setCode} />
      <Button type="submit" tone="primary" isPending={action.isPending} disabled={code.trim() === ''}>
        {texts.confirm}
      </Button>
      <ActionProblem problem={action.problem} isUnknown={false} />
    </form>
  );
}

/** The token of a sign-in link, or the whole link, as people copy it from the mail. */
const tokenIn = (text: string): string => /token=([A-Za-z0-9]+)/.exec(text)?.[1] ?? text.trim();

/** Opening the link in this browser signs in anew, which is a proof too: then the change only has to be sent again. */
function MailProof({ onProved }: MethodProps) {
  const texts = useMessages(PROOF);
  const { user } = useSession();
  const [link, setLink] = useState('');
  const [isSent, setSent] = useState(false);
  const sending = useAction(
    (api) => api.auth.sendMagicLink({ email: user.email }),
    () => setSent(true),
    SAFE,
  );
  const proving = useAction((api, token: string) => api.auth.proveIdentity({ token }), onProved, SAFE);
  if (!isSent)
    return (
      <div class="stack-small">
        <Button tone="primary" icon="mail" isPending={sending.isPending} onClick={() => sending.run(undefined)}>
          {texts.sendLink(user.email)}
        </Button>
        <ActionProblem problem={sending.problem} isUnknown={false} />
      </div>
    );
  return (
    <form
      class="stack-small"
      onSubmit={(event) => {
        event.preventDefault();
        if (link.trim() === '') onProved();
        else void proving.run(tokenIn(link));
      }}
    >
      <p>{texts.linkSent(user.email)}</p>
      <Input label={texts.link} hint={texts.linkHint} value={link} onValue={setLink} isOptional />
      <Button type="submit" tone="primary" isPending={proving.isPending}>
        {texts.confirm}
      </Button>
      <ActionProblem problem={proving.problem} isUnknown={false} />
    </form>
  );
}

const METHODS: Readonly<Record<ProofMethod, (props: MethodProps) => preact.JSX.Element>> = {
  passkey: PasskeyProof,
  totp: TotpProof,
  mail: MailProof,
};
