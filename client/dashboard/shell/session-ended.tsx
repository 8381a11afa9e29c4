import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { signInAddress } from '#client/dashboard/shell/session.tsx';
import { LinkButton } from '#client/dashboard/ui/button.tsx';
import { Dialog } from '#client/dashboard/ui/dialog.tsx';

/** It cannot be closed: nothing works any more. What was typed stays readable behind it. */
export function SessionEnded() {
  const { sessionEnded, sessionEndedHint, signIn } = useMessages(FRAME);
  return (
    <Dialog
      title={sessionEnded}
      footer={
        <LinkButton tone="primary" href={signInAddress()}>
          {signIn}
        </LinkButton>
      }
    >
      <p>{sessionEndedHint}</p>
    </Dialog>
  );
}
