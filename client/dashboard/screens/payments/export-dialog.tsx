import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiProblem, problemOf } from '#client/dashboard/api/api-problem.ts';
import { serverNow } from '#client/dashboard/api/server-time.ts';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENTS } from '#client/dashboard/screens/payments/payments.catalog.ts';
import { exportPayments, MAX_ROWS } from '#client/dashboard/screens/payments/payments-csv.ts';
import { type FilterValues, paymentsQuery } from '#client/dashboard/screens/payments/payments-query.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Dialog } from '#client/dashboard/ui/dialog.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';

type State =
  | { readonly step: 'asking'; readonly problem?: ApiProblem }
  | { readonly step: 'reading'; readonly count: number }
  | { readonly step: 'cut'; readonly count: number; readonly cutAt: string };

type Props = { readonly filters: FilterValues; readonly onClose: () => void };

/** Reads what the filters match, and hands it to the browser as a file. Closing the dialog stops it. */
export function ExportDialog({ filters, onClose }: Props) {
  const texts = useMessages(PAYMENTS);
  const { cancel } = useMessages(FRAME);
  const { number, plural, time } = useFormats();
  const { state, start } = useExport(filters, (count) => {
    showToast(plural(count, texts.exported));
    onClose();
  });
  const isCut = state.step === 'cut';
  return (
    <Dialog
      title={texts.exportTitle}
      onClose={onClose}
      footer={
        <>
          {!isCut && <Button onClick={onClose}>{cancel}</Button>}
          <Button tone="primary" isPending={state.step === 'reading'} onClick={isCut ? onClose : start}>
            {isCut ? texts.done : texts.exportStart}
          </Button>
        </>
      }
    >
      <div class="stack">
        {!isCut && <p>{texts.exportText(number(MAX_ROWS))}</p>}
        <div>
          {!isCut && <p class="muted">{texts.exportUtc}</p>}
          <p role="status">{state.step === 'reading' && plural(state.count, texts.exporting)}</p>
        </div>
        {isCut && (
          <Alert tone="warn">
            {texts.exportCut(number(state.count), state.cutAt === '' ? '–' : time(state.cutAt))}
          </Alert>
        )}
        {state.step === 'asking' && state.problem && (
          <Alert tone="bad">
            {texts.exportFailed} {state.problem.message}
          </Alert>
        )}
      </div>
    </Dialog>
  );
}

function useExport(filters: FilterValues, onDone: (count: number) => void) {
  const { api } = useSession();
  const [state, setState] = useState<State>({ step: 'asking' });
  const given = useRef<AbortController>(undefined);
  useEffect(() => () => given.current?.abort(), []);
  async function start(): Promise<void> {
    const now = serverNow();
    const abort = new AbortController();
    given.current = abort;
    setState({ step: 'reading', count: 0 });
    try {
      const { csv, count, cutAt } = await exportPayments(api, paymentsQuery(filters, now), {
        signal: abort.signal,
        onProgress: (read) => setState({ step: 'reading', count: read }),
      });
      if (abort.signal.aborted) return;
      saveFile(csv, `payments-${now.toISOString().slice(0, 10)}.csv`);
      if (cutAt === undefined) onDone(count);
      else setState({ step: 'cut', count, cutAt });
    } catch (error) {
      if (!abort.signal.aborted) setState({ step: 'asking', problem: problemOf(error) });
    }
  }
  return { state, start };
}

/** Hands the browser a file. The policy of the page allows it: it is a download, and loads nothing. */
function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
