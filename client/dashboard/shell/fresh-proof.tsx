import type { FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { loadCatalogs } from '#client/dashboard/i18n/catalog.ts';
import { activeLanguage } from '#client/dashboard/i18n/i18n.tsx';
import { loadScreen } from '#client/dashboard/shell/load-screen.ts';
import { listenForProofs, type ProofRequest } from '#client/dashboard/shell/proof-request.ts';

export type ProofDialogProps = { readonly request: ProofRequest };

type Asking = ProofDialogProps & { readonly Dialog: FunctionComponent<ProofDialogProps> };

async function loadDialog(): Promise<FunctionComponent<ProofDialogProps>> {
  const { ProofDialog } = await loadScreen(() => import('#client/dashboard/shell/proof-dialog.tsx'));
  await loadCatalogs(activeLanguage());
  return ProofDialog;
}

/**
 * Stands once in the frame. Some changes need a proof of who the person is that is under ten minutes old: `useAction`
 * asks for it here, whichever screen the change is on, and then sends the change again.
 */
export function FreshProof() {
  const [asking, setAsking] = useState<Asking>();
  const isAsking = useRef(false);
  useEffect(
    () =>
      listenForProofs(({ methods, settle }) => {
        // A proof that the API does not take is no reason to ask for another one: the dialog says why.
        if (isAsking.current) {
          settle(false);
          return;
        }
        isAsking.current = true;
        const done = (proved: boolean): void => {
          isAsking.current = false;
          setAsking(undefined);
          settle(proved);
        };
        loadDialog().then(
          (Dialog) => setAsking({ Dialog, request: { methods, settle: done } }),
          () => done(false),
        );
      }),
    [],
  );
  if (!asking) return null;
  const { Dialog, request } = asking;
  return <Dialog request={request} />;
}
