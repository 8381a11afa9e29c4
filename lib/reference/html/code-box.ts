import { highlighted } from '#lib/reference/html/highlight.ts';
import type { Language } from '#lib/reference/page.model.ts';
import { type Html, html } from '#shared/http/html.ts';

/** Code that can be copied. It scrolls, so it can have the focus. The page's script shows the button. */
export const codeBox = (language: Language, code: string): Html =>
  html`<div class="code-box"><pre tabindex="0" data-language="${language}"><code>${highlighted(language, code)}</code></pre><button type="button" class="copy" aria-label="Copy">Copy</button></div>
`;
