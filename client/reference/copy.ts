import { all } from '#client/reference/find.ts';

const SHOWN_MS = 2_000;

/** Copies the code beside the button, with the reader's key where it is filled in. */
export function addCopyButtons(): void {
  for (const button of all('button.copy')) {
    button.addEventListener('click', async () => {
      const code = button.parentElement?.querySelector('code')?.textContent ?? '';
      await copyText(code);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, SHOWN_MS);
    });
  }
}

/** `navigator.clipboard` is missing in pages that were not loaded over https: the old way works there too. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
