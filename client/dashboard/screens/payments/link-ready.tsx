import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENTS } from '#client/dashboard/screens/payments/payments.catalog.ts';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { Button, LinkButton } from '#client/dashboard/ui/button.tsx';
import { Code } from '#client/dashboard/ui/code.tsx';
import { CopyButton } from '#client/dashboard/ui/copy-button.tsx';
import { Dialog } from '#client/dashboard/ui/dialog.tsx';
import type { CreatedPaymentLink } from '#client/typescript/src/generated/schemas.ts';

type Props = { readonly link: CreatedPaymentLink; readonly onClose: () => void };

/** The address of a new payment link, to copy. */
export function LinkReady({ link, onClose }: Props) {
  const texts = useMessages(PAYMENTS);
  const { money } = useFormats();
  return (
    <Dialog
      title={texts.linkCreated}
      onClose={onClose}
      footer={
        <>
          <LinkButton href={link.url} icon="external" isExternal>
            {texts.openLink}
          </LinkButton>
          <Button tone="primary" onClick={onClose}>
            {texts.done}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{texts.linkHint(money(link.amount, link.currency))}</p>
        <Code text={link.url} label={texts.linkAddress} />
        <div>
          <CopyButton text={link.url} label={texts.copyLink} />
        </div>
        {link.warnings?.map(({ method, message }) => (
          <Alert key={method} tone="warn">
            {message}
          </Alert>
        ))}
      </div>
    </Dialog>
  );
}
