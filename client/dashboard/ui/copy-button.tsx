import { useState } from 'preact/hooks';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';

const SHOWN_MS = 2_000;

type CopyButtonProps = { readonly text: string; readonly label?: string };

/** With a label it is a button with text, else a small icon beside what it copies. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const { copy, copied } = useMessages(FRAME);
  const [isCopied, setCopied] = useState(false);
  const onClick = async (): Promise<void> => {
    await copyText(text);
    showToast(copied);
    // The toast stands behind a dialog, so the button says it too.
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  const icon = isCopied ? 'check' : 'copy';
  if (label !== undefined)
    return (
      <Button icon={icon} onClick={onClick}>
        {isCopied ? copied : label}
      </Button>
    );
  return (
    <Button tone="quiet" size="small" icon={icon} label={isCopied ? copied : `${copy}: ${text}`} onClick={onClick} />
  );
}

/** `navigator.clipboard` is missing in pages that were not loaded over https: the old way works there too. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  const host = document.querySelector('dialog[open]') ?? document.body;
  host.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
