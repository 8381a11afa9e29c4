import { useState } from 'preact/hooks';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { BILLING } from '#client/dashboard/screens/subscriptions/billing.catalog.ts';
import { CancelSubscriptionDialog } from '#client/dashboard/screens/subscriptions/cancel-subscription.tsx';
import { ChangeSubscriptionDialog } from '#client/dashboard/screens/subscriptions/change-subscription.tsx';
import {
  afterSubscriptionChange,
  type SubscriptionDialogProps,
} from '#client/dashboard/screens/subscriptions/subscription-change.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import type { Subscription } from '#client/typescript/src/index.ts';

type Dialog = 'change' | 'pause' | 'resume' | 'keep' | 'cancel';

/** What may be done with it now. A canceled one is final. */
export function SubscriptionActions({ subscription }: { readonly subscription: Subscription }) {
  const texts = useMessages(BILLING);
  const { can } = useSession();
  const [open, setOpen] = useState<Dialog>();
  const { status, cancel_at_period_end } = subscription;
  if (!can('subscriptions:write') || status === 'canceled') return null;
  const props = { subscription, onClose: () => setOpen(undefined) };
  return (
    <>
      {status === 'paused' && (
        <Button icon="play" onClick={() => setOpen('resume')}>
          {texts.resume}
        </Button>
      )}
      {status === 'active' && cancel_at_period_end && <Button onClick={() => setOpen('keep')}>{texts.keep}</Button>}
      {status === 'active' && (
        <Button icon="pause" onClick={() => setOpen('pause')}>
          {texts.pause}
        </Button>
      )}
      <Button icon="edit" onClick={() => setOpen('change')}>
        {texts.change}
      </Button>
      <Button tone="danger" onClick={() => setOpen('cancel')}>
        {texts.cancel}
      </Button>
      {open === 'change' && <ChangeSubscriptionDialog {...props} />}
      {open === 'cancel' && <CancelSubscriptionDialog {...props} />}
      {(open === 'pause' || open === 'resume' || open === 'keep') && <MoveDialog {...props} move={open} />}
    </>
  );
}

type MoveProps = SubscriptionDialogProps & { readonly move: 'pause' | 'resume' | 'keep' };

function MoveDialog({ subscription: { id }, onClose, move }: MoveProps) {
  const texts = useMessages(BILLING);
  const [title, confirm, text, done] = {
    pause: [texts.pauseTitle, texts.pause, texts.pauseText, texts.pausedToast] as const,
    resume: [texts.resumeTitle, texts.resume, texts.resumeText, texts.resumedToast] as const,
    keep: [texts.keepTitle, texts.keep, texts.keepText, texts.resumedToast] as const,
  }[move];
  return (
    <ConfirmDialog
      title={title}
      confirm={confirm}
      input={{}}
      send={(api, input, options) =>
        move === 'pause'
          ? api.subscriptions.update(id, { status: 'paused' }, options)
          : api.subscriptions.resume(id, input, options)
      }
      onDone={() => {
        afterSubscriptionChange(done);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{text}</p>
    </ConfirmDialog>
  );
}
