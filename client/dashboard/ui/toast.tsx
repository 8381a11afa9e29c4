import { useEffect, useState } from 'preact/hooks';
import type { Tone } from '#client/dashboard/ui/alert.tsx';
import { Icon } from '#client/dashboard/ui/icon.tsx';

type Toast = { readonly id: number; readonly text: string; readonly tone: Tone };

const SHOWN_MS = 6_000;
let count = 0;
let show: ((toast: Toast) => void) | undefined;

/** Says that something was done. What went wrong belongs beside the control that did it, not here. */
export function showToast(text: string, tone: Tone = 'good'): void {
  count += 1;
  show?.({ id: count, text, tone });
}

/** Stands once in the frame. It is there before its texts are, so that screen readers read them. */
export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  useEffect(() => {
    show = (toast) => {
      setToasts((shown) => [...shown.slice(-2), toast]);
      setTimeout(() => setToasts((shown) => shown.filter(({ id }) => id !== toast.id)), SHOWN_MS);
    };
    return () => {
      show = undefined;
    };
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, tone }) => (
        <div key={id} class={`toast tone-${tone}`}>
          <Icon name={tone === 'good' ? 'check' : 'info'} />
          {text}
        </div>
      ))}
    </div>
  );
}
