import { CopyButton } from '#client/dashboard/ui/copy-button.tsx';

type CodeProps = { readonly text: string; readonly label: string; readonly isTall?: boolean };

/** Text of a machine, to read and to copy. It scrolls, so it can have the focus. */
export const Code = ({ text, label, isTall }: CodeProps) => (
  <div class="code-box">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
    <section class={isTall ? 'code code-tall' : 'code'} tabIndex={0} aria-label={label}>
      <pre>
        <code>{text}</code>
      </pre>
    </section>
    <CopyButton text={text} />
  </div>
);

type JsonViewProps = { readonly value: unknown; readonly label: string; readonly isTall?: boolean };

export const JsonView = ({ value, label, isTall }: JsonViewProps) => (
  <Code text={JSON.stringify(value, null, 2)} label={label} isTall={isTall} />
);
