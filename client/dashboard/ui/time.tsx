import { useFormats } from '#client/dashboard/i18n/i18n.tsx';

type TimeProps = {
  readonly at: string | null | undefined;
  /** `relative`: 5 min. ago, for what has just happened. `elapsed`: 5 minutes, for how long something lasts. */
  readonly as?: 'time' | 'date' | 'relative' | 'elapsed';
};

/** A moment in the viewer's zone. Its exact time of UTC is shown on hover, and read by machines. */
export function Time({ at, as = 'time' }: TimeProps) {
  const formats = useFormats();
  if (!at) return <Nothing />;
  return (
    <time dateTime={at} title={at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}>
      {formats[as](at)}
    </time>
  );
}

/** Where there is no value: seen as a dash, and not read out as one. */
export const Nothing = () => (
  <span class="muted" aria-hidden="true">
    –
  </span>
);
