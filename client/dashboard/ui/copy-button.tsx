import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';

type CopyButtonProps = { readonly text: string; readonly label?: string };

/** With a label it is a button with text, else a small icon beside what it copies. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const { copy, copied } = useMessages(FRAME);
  const onClick = async (): Promise<void> => {
    await copyText(text);
    showToast(copied);
  };
  if (label !== undefined)
    return (
      <Button icon="copy" onClick={onClick}>
        {label}
      </Button>
    );
  return <Button tone="quiet" size="small" icon="copy" label={`${copy}: ${text}`} onClick={onClick} />;
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
